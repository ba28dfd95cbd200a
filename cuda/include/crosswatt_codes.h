/* SPDX-License-Identifier: MIT
 *
 * cuda/include/crosswatt_codes.h: the error codes of the CUDA runtime that ours can give: number,
 * name, text. */
#ifndef CW_CUDA_INCLUDE_CROSSWATT_CODES_H
#define CW_CUDA_INCLUDE_CROSSWATT_CODES_H

#define CROSSWATT_CUDA_CODES(X)                                                                    \
    X(0, Success, "no error")                                                                      \
    X(1, ErrorInvalidValue, "invalid argument")                                                    \
    X(2, ErrorMemoryAllocation, "out of memory")                                                   \
    X(3, ErrorInitializationError, "initialization error")                                         \
    X(4, ErrorCudartUnloading, "driver shutting down")                                             \
    X(9, ErrorInvalidConfiguration, "invalid configuration argument")                              \
    X(12, ErrorInvalidPitchValue, "invalid pitch argument")                                        \
    X(13, ErrorInvalidSymbol, "invalid device symbol")                                             \
    X(16, ErrorInvalidHostPointer, "invalid host pointer")                                         \
    X(17, ErrorInvalidDevicePointer, "invalid device pointer")                                     \
    X(18, ErrorInvalidTexture, "invalid texture reference")                                        \
    X(19, ErrorInvalidTextureBinding, "texture is not bound to a pointer")                         \
    X(20, ErrorInvalidChannelDescriptor, "invalid channel descriptor")                             \
    X(21, ErrorInvalidMemcpyDirection, "invalid copy direction for memcpy")                        \
    X(26, ErrorInvalidFilterSetting, "linear filtering not supported for non-float type")          \
    X(35, ErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version") \
    X(36, ErrorCallRequiresNewerDriver, "API call is not supported in the installed CUDA driver")  \
    X(37, ErrorInvalidSurface, "invalid surface reference")                                        \
    X(98, ErrorInvalidDeviceFunction, "invalid device function")                                   \
    X(100, ErrorNoDevice, "no CUDA-capable device is detected")                                    \
    X(101, ErrorInvalidDevice, "invalid device ordinal")                                           \
    X(200, ErrorInvalidKernelImage, "device kernel image is invalid")                              \
    X(209, ErrorNoKernelImageForDevice,                                                            \
      "no kernel image is available for execution on the device")                                  \
    X(218, ErrorInvalidPtx, "a PTX JIT compilation failed")                                        \
    X(304, ErrorOperatingSystem, "OS call failed or operation not supported on this OS")           \
    X(400, ErrorInvalidResourceHandle, "invalid resource handle")                                  \
    X(500, ErrorSymbolNotFound, "named symbol not found")                                          \
    X(600, ErrorNotReady, "device not ready")                                                      \
    X(700, ErrorIllegalAddress, "an illegal memory access was encountered")                        \
    X(701, ErrorLaunchOutOfResources, "too many resources requested for launch")                   \
    X(702, ErrorLaunchTimeout, "the launch timed out and was terminated")                          \
    X(704, ErrorPeerAccessAlreadyEnabled, "peer access is already enabled")                        \
    X(705, ErrorPeerAccessNotEnabled, "peer access has not been enabled")                          \
    X(710, ErrorAssert, "device-side assert triggered")                                            \
    X(712, ErrorHostMemoryAlreadyRegistered,                                                       \
      "part or all of the requested memory range is already mapped")                               \
    X(713, ErrorHostMemoryNotRegistered,                                                           \
      "pointer does not correspond to a registered memory region")                                 \
    X(716, ErrorMisalignedAddress, "misaligned address")                                           \
    X(719, ErrorLaunchFailure, "unspecified launch failure")                                       \
    X(720, ErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch")                \
    X(801, ErrorNotSupported, "operation not supported")                                           \
    X(999, ErrorUnknown, "unknown error")

#endif

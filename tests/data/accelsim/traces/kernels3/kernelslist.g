kernel-1.traceg
kernel-2.traceg
kernel-3.traceg
MemcpyDtoH,0x00007f4003000000,4

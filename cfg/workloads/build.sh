#!/bin/sh
# cfg/workloads/build.sh [--check] [--nvcc] [NAME…]: recompiles the suite's kernels and those of
# cfg/silicon (all, or those named) from kernels/NAME.cu to kernels/NAME.ptx with clang 14, without the
# CUDA toolkit.
#   --check  compiles into a scratch folder and says which committed files differ
#   --nvcc   compiles with nvcc instead, into kernels/nvcc/ (not committed)
cd "$(dirname "$0")" || exit 3
check= nvcc= names= scratch=
for word; do
    case $word in
    --check) check=1 ;;
    --nvcc) nvcc=1 ;;
    -*) echo "usage: build.sh [--check] [--nvcc] [NAME...]" >&2; exit 2 ;;
    *) names="$names $word" ;;
    esac
done
files=$(ls kernels/*.cu ../silicon/kernels/*.cu)
clang=clang
command -v clang-14 >/dev/null 2>&1 && clang=clang-14
if [ -n "$check" ]; then
    scratch=$(mktemp -d) || exit 3
    trap 'rm -rf "$scratch"' EXIT
fi
for name in $names; do
    case $files in *"/$name.cu"*) ;; *) echo "there is no kernels/$name.cu" >&2; exit 2 ;; esac
done
status=0
for file in $files; do
    folder=${file%/*} name=${file##*/}
    name=${name%.cu}
    [ -z "$names" ] || case " $names " in *" $name "*) ;; *) continue ;; esac
    cd "$folder" || exit 3
    if [ -n "$nvcc" ]; then
        mkdir -p nvcc || exit 3
        nvcc -ptx -arch=sm_75 -O3 "$name.cu" -o "nvcc/$name.ptx" || status=3
    else
        out=${scratch:-.}
        "$clang" -x cuda --cuda-device-only --cuda-path=/nonexistent -nocudainc -nocudalib \
            --cuda-gpu-arch=sm_70 -Xclang -target-feature -Xclang +ptx63 -std=c++14 -O2 -S \
            "$name.cu" -o "$out/$name.ptx" || status=3
        if [ -n "$check" ] && ! cmp -s "$name.ptx" "$out/$name.ptx"; then
            echo "$name.ptx differs from what $clang makes of $name.cu" >&2
            [ $status = 3 ] || status=1
        fi
    fi
    cd "$OLDPWD" || exit 3
done
exit $status

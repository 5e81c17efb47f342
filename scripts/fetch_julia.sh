#!/usr/bin/env bash
# Fetches Julia 1.5 of Debian 11 into build/julia, which the tests run generated code with. Nothing else needs it.
# Debian 12 has no Julia. The packages are unpacked, not installed, and pinned by their SHA-256.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -x build/julia/julia ] && exit 0
[ "$(uname -m)" = x86_64 ] || { echo "fetch_julia.sh: no package for $(uname -m); the tests with it are left out" >&2; exit 0; }
mirror=${POLYCODEC_DEBIAN_MIRROR:-http://deb.debian.org/debian}

packages() {
  cat <<'END'
273cb954a3a3c8025dbbf9369d4f674c26565e9ca7f9ea92f0e4c32e25479ff1  pool/main/j/julia/julia_1.5.3+dfsg-3_amd64.deb
915bb9a7c1d79043b4ab5f4b3e019a9920d6d553f111ef5059a73a6aef0853dd  pool/main/j/julia/julia-common_1.5.3+dfsg-3_all.deb
29597ae673fad5528a4fb8d6f9710740a4be18474f59e9949a21057250f963b2  pool/main/j/julia/libjulia1_1.5.3+dfsg-3_amd64.deb
747697f517e6419ef0392b57cd64221421977b18ee63b2b114ce98c1d4234d3f  pool/main/l/llvm-toolchain-9/libllvm9_9.0.1-16.1_amd64.deb
7a38c2dd985eb9315857588ee06ff297e2b16de159dec85bd2777a43ebe9f458  pool/main/z/z3/libz3-4_4.8.10-1_amd64.deb
30ca89bfddae5fa6e0a2a044f22b6e50cd17c4bc6bc850c579819aeab7101f0f  pool/main/libf/libffi/libffi7_3.3-6_amd64.deb
ac545f6ad10ba791aca24b09255ad1d6d943e6bc7c5511d5998e104aee51c943  pool/main/libe/libedit/libedit2_3.1-20191231-2+b1_amd64.deb
6ec5a08a4bb32c0dc316617f4bbefa8654c472d1cd4412ab8995f3955491f4a8  pool/main/libb/libbsd/libbsd0_0.11.3-1+deb11u1_amd64.deb
9e425b3c128b69126d95e61998e1b5ef74e862dd1fc953d91eebcc315aea62ea  pool/main/libm/libmd/libmd0_1.0.3-3_amd64.deb
77ddd8cb6c671a555c47b5d05cdb8aac823a7ec1d1f4c1aded6b25ebc17ced9b  pool/main/u/utf8proc/libutf8proc2_2.5.0-1_amd64.deb
ee192c8d22624eb9d0a2ae95056bad7fb371e5abc17e23e16b1de3ddb17a1064  pool/main/p/pcre2/libpcre2-8-0_10.36-2+deb11u1_amd64.deb
4bfcd582af6e5e791159ab4d27fd56fbe9cb64dfabbe94382112db4da95d8dd3  pool/main/d/dsfmt/libdsfmt-19937-1_2.2.3+dfsg-5_amd64.deb
fc117ccb084a98d25021f7e01e4dfedd414fa2118fdd1e27d2d801d7248aebbc  pool/main/g/gmp/libgmp10_6.2.1+dfsg-1+deb11u1_amd64.deb
5d26306d12a45a8a03dca473490d56a765b58d61b53146c1c7784903cf59c45d  pool/main/m/mpfr4/libmpfr6_4.1.0-3_amd64.deb
dc5d2d353a434e775c67bc3ecf4f22db74ca0b8a932577bd1f290760874d386a  pool/main/o/openlibm/libopenlibm3_0.7.0+dfsg-2_amd64.deb
a8cc1181a479375aeb603cfe748cc19dc3a700a47ffdcb09fa025fe02b0c73bf  pool/main/libu/libunwind/libunwind8_1.3.2-2_amd64.deb
632664b066480aecc38cf43e688a01c648d75969d33bd3a1434b1fc777c64651  pool/main/libg/libgit2/libgit2-1.1_1.1.0+dfsg.1-4+deb11u2_amd64.deb
4e8f5c1bce75c2006309e1dcb952675d5760c9f7445b20c8d57c14e760fe7e07  pool/main/libs/libssh2/libssh2-1_1.9.0-2+deb11u1_amd64.deb
c637f5b63d1f1c85da59c5c4d2fa3cffa5bcf48477414af9808f792238546f38  pool/main/h/http-parser/libhttp-parser2.9_2.9.4-4+deb11u1_amd64.deb
5370ae12b872d3e75ff80d680354a5c2d6a26b9c86effee6c105a1668103cf01  pool/main/m/mbedtls/libmbedcrypto3_2.16.9-0.1_amd64.deb
eb0729d4ba2010879e89335607565b1d68901bacbcd1be4cf01528a5643f18d0  pool/main/m/mbedtls/libmbedtls12_2.16.9-0.1_amd64.deb
4749453a2a6bf33d341c9bd449b903657223df19362d4486d66733417eef1141  pool/main/m/mbedtls/libmbedx509-0_2.16.9-0.1_amd64.deb
END
}

rm -rf build/julia
mkdir -p build/julia/packages
while read -r sum path; do
  package=build/julia/packages/$(basename "$path")
  curl -fsSL --retry 2 --max-time 300 -o "$package" "$mirror/$path"
  echo "$sum  $package" | sha256sum --check --quiet
  dpkg -x "$package" build/julia/root
done < <(packages)
rm -rf build/julia/packages

# The libraries lie where no loader looks. The wrapper comes last: its presence says that all is there.
cat >build/julia/julia.part <<'END'
#!/bin/sh
root=$(dirname "$(readlink -f "$0")")/root/usr
export LD_LIBRARY_PATH="$root/lib/x86_64-linux-gnu:$root/lib/x86_64-linux-gnu/julia"
exec "$root/bin/julia" "$@"
END
chmod +x build/julia/julia.part
mv build/julia/julia.part build/julia/julia

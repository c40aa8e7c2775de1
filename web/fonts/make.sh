#!/bin/sh
# Makes the typeface of the page from Inter 4.1.1 (npm: inter-ui; SIL Open Font License 1.1, public/inter-licence.txt):
# weights 400 to 700, the letters of English, French, Polish and Vietnamese. Needs fonttools and brotli (PyPI).
#   sh web/fonts/make.sh FOLDER_OF_INTER_UI
set -e
cd "$(dirname "$0")"
LATIN=U+0020-007E,U+00A0-017F,U+2009,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+202F,U+2030,U+2032-2033,U+2039-203A,U+20AC,U+2122,U+2190-2193,U+2212,U+2248,U+2260,U+2264-2265,U+00D7
VIETNAMESE=U+01A0-01A1,U+01AF-01B0,U+0300-0301,U+0303,U+0309,U+0323,U+1EA0-1EF9,U+20AB
whole=$(mktemp)
fonttools varLib.instancer --quiet "$1/variable/InterVariable.woff2" wght=400:700 opsz=14 -o "$whole"
for name in latin vietnamese; do
  [ $name = latin ] && letters=$LATIN || letters=$VIETNAMESE
  pyftsubset "$whole" --unicodes=$letters --layout-features=kern,mark,mkmk,ccmp,locl,calt,tnum,cv11,ss03 \
    --name-IDs=0,1,2,13,14 --flavor=woff2 --output-file="inter-$name.woff2"
done
rm "$whole"
ls -l ./*.woff2

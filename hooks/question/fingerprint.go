package question

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
)

// fingerprint is the SHA-1 of s in hex (L3). It names things and protects
// nothing. It is written out here because crypto/sha1 brings the FIPS module
// with it, whose initialisation every status line and every hook would pay for:
// some four hundredths of a start. A test holds it against crypto/sha1.
func fingerprint(s string) string {
	h := [5]uint32{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0}
	message := append([]byte(s), 0x80)
	for len(message)%64 != 56 {
		message = append(message, 0)
	}
	message = binary.BigEndian.AppendUint64(message, uint64(len(s))*8)
	for ; len(message) > 0; message = message[64:] {
		mix(&h, message[:64])
	}
	var sum []byte
	for _, v := range h {
		sum = binary.BigEndian.AppendUint32(sum, v)
	}
	return hex.EncodeToString(sum)
}

// mix is FIPS 180-4, section 6.1.2, for one block of 64 bytes.
func mix(h *[5]uint32, block []byte) {
	var w [80]uint32
	for i := range 16 {
		w[i] = binary.BigEndian.Uint32(block[i*4:])
	}
	for i := 16; i < 80; i++ {
		w[i] = bits.RotateLeft32(w[i-3]^w[i-8]^w[i-14]^w[i-16], 1)
	}
	a, b, c, d, e := h[0], h[1], h[2], h[3], h[4]
	for i := range 80 {
		var f, k uint32
		switch i / 20 {
		case 0:
			f, k = b&c|^b&d, 0x5A827999
		case 1:
			f, k = b^c^d, 0x6ED9EBA1
		case 2:
			f, k = b&c|b&d|c&d, 0x8F1BBCDC
		default:
			f, k = b^c^d, 0xCA62C1D6
		}
		a, b, c, d, e = bits.RotateLeft32(a, 5)+f+e+k+w[i], a, bits.RotateLeft32(b, 30), c, d
	}
	h[0] += a
	h[1] += b
	h[2] += c
	h[3] += d
	h[4] += e
}

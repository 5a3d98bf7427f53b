/** Whether bytes are a picture, judged by the frame of the format: the content of the frame is left to browsers. */

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';

/** Whether the bytes are exactly one picture of this type, with nothing after it. */
export const isPicture = (bytes: Buffer, type: PictureType): boolean => frames[type](bytes);

const frames: Readonly<Record<PictureType, (bytes: Buffer) => boolean>> = {
  'image/png': isPng,
  'image/jpeg': isJpeg,
  'image/webp': isWebp,
};

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Chunks from IHDR to IEND, which is last. @see PNG (Third Edition) §5 */
function isPng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, pngSignature.length).equals(pngSignature)) return false;
  let name = '';
  let at = pngSignature.length;
  for (; name !== 'IEND' && at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const isFirst = name === '';
    name = bytes.toString('latin1', at + 4, at + 8);
    if (isFirst !== (name === 'IHDR') || !/^[A-Za-z]{4}$/.test(name)) return false;
  }
  return name === 'IEND' && at === bytes.length;
}

/** Segments up to the scans, and the end marker as the last two bytes. @see ITU-T T.81 Annex B */
function isJpeg(bytes: Buffer): boolean {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8 || bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) return false;
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const isScan = bytes[at + 1] === 0xda;
    at += 2 + bytes.readUInt16BE(at + 2);
    if (isScan) return hasOneEnd(bytes, at);
  }
  return false;
}

/** Whether the first end marker after the start of the scans is the last two bytes. */
function hasOneEnd(bytes: Buffer, from: number): boolean {
  return bytes.indexOf('ffd9', from, 'hex') === bytes.length - 2;
}

/** One RIFF chunk of the declared length. @see RFC 9649 §2.4 */
function isWebp(bytes: Buffer): boolean {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return false;
  return bytes.readUInt32LE(4) + 8 === bytes.length;
}

import { createHash } from 'node:crypto';

/** Namespace of Troupe, generated once. */
const NAMESPACE = Buffer.from('8f0b4f1c2d5a4f6e9a3b7c1e5d20a964', 'hex');

/** UUID version 5 of a text: the same for the same text everywhere. */
export function uuidOf(text: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(text, 'utf8').digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

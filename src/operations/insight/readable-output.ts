import { inert } from '#kernel/text.js';

/** Colour and cursor sequences (CSI), titles and links (OSC, DCS and their kin), and two-character escapes. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;

/**
 * What a program printed, for reading: escape sequences that only colour or move are dropped, a line that was redrawn
 * in place shows its last state, and whatever control character is left is shown instead of acting.
 */
export function readableOutput(text: string): string {
  const plain = text
    .replace(ESCAPES, '')
    .replaceAll('\r\n', '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '')
    .replaceAll('\r', '');
  return inert(plain, true);
}

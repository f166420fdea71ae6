/**
 * Text that a leader signs: purpose and project precede it, so that a signature is invalid for another project or
 * purpose.
 */
export function sealedWords(purpose: string, project: string, text: string): string {
  return `troupe ${purpose} 1\n${project}\n${text}`;
}

/**
 * The words under a signature of a leader: purpose and project stand before the text, so that nothing that was signed for another
 * project, or as something else, counts.
 */
export function sealedWords(purpose: string, project: string, text: string): string {
  return `troupe ${purpose} 1\n${project}\n${text}`;
}

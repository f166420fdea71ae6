/** An id as one would type it: one word for a shell, whatever another tool put into it. */
export function typed(id: string): string {
  return /^[\w.:@/+][\w.:@/+-]*$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`;
}

/** Fenced code blocks of CommonMark, followed line by line. */
export class CodeFence {
  /** Delimiter of the open block; undefined outside of blocks. */
  open: string | undefined;

  /** Reads the next line. Returns whether it belongs to a code block, delimiters included. */
  holds(line: string): boolean {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (this.open === undefined) {
      this.open = fence;
      return fence !== undefined;
    }
    if (fence?.startsWith(this.open) === true && line.trim() === fence) this.open = undefined;
    return true;
  }
}

/** The package has no declarations of its own that resolve. */
declare module 'unicode-confusables' {
  /** Each character as the one it looks like in the table of UTS #39, zero-width ones left out. */
  export function rectifyConfusion(text: string): string;
}

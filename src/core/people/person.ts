/** Somebody who does tasks and is no program. */
export interface Person {
  readonly name: string;
  /** How they are told; undefined for who is told by nobody and looks for themselves. */
  readonly channel?: 'email' | 'matrix';
  /** Where the channel reaches them. */
  readonly contact?: string;
}

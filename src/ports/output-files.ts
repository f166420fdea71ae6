/** Files that somebody asks for by name, from wherever they type it. */
export interface OutputFiles {
  /**
   * Writes one, whole or not at all, for this person's eyes; answers its absolute path. A link in its place is replaced, not
   * followed. With `within` it has to lie below one of these folders, whatever links are on the way. Errors: `not_found`
   * without its folder, `bad_input` for a folder, `unsafe_path` for what is ours or git's own, `not_yours` outside of
   * `within`, `file_exists` for one that is there and was not written so, unless it may be replaced.
   */
  write(named: string, content: string | Uint8Array, how: OutputWishes): Promise<string>;
  /** Refuses a place as `write` would; the folders on the way to it may be missing. */
  refuse(named: string, within: readonly string[] | undefined): Promise<void>;
}

export interface OutputWishes {
  readonly replace: boolean;
  readonly within: readonly string[] | undefined;
}

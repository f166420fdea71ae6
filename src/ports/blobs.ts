/** Identifies a stored blob. `get` returns exactly the bytes that it describes. */
export interface BlobMark {
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly sha256: string;
  readonly size: number;
}

/**
 * Result of a put: bytes to be stored in the database row that refers to them, or the mark of an object stored outside
 * the database.
 */
export type PutBlob = { readonly bytes: Uint8Array } | { readonly mark: BlobMark };

/**
 * Storage of blobs to which a project in a database refers: output, events and prompts of runs. Folders such as
 * `shop/agent-7` are removed as a whole. Blobs never change; putting the same bytes into a folder again stores them
 * once. Errors: `blobs_away` if the store does not answer in time, `blobs_refused`, `blobs_not_chosen`.
 */
export interface Blobs {
  /**
   * Stores bytes. When it resolves they are durable, unless it returns `bytes`: then the caller stores them in its row.
   */
  put(folder: string, bytes: Uint8Array): Promise<PutBlob>;
  /** Returns the bytes, verified by size and hash. Other errors: `blob_missing`, `blob_damaged`. */
  get(folder: string, mark: BlobMark): Promise<Uint8Array>;
  /** Removes a folder with all its blobs. Succeeds if it does not exist. */
  removeFolder(folder: string): Promise<void>;
}

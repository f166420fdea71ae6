/** Bytes beside the database, by which what was put is found again, and nothing else is taken for it. */
export interface BlobMark {
  /** Of the bytes, in hexadecimal letters. */
  readonly sha256: string;
  readonly size: number;
}

/** Where bytes were put: into the row that is about to name them, or beside the database. */
export type PutBlob = { readonly bytes: Uint8Array } | { readonly mark: BlobMark };

/**
 * Where the bytes lie that a project in a database only names: what runs print, do and were told. Folders such as `shop/agent-7` go as one.
 * What is put never changes; the same bytes put again into a folder are there once. Errors: `blobs_away` where nobody answers in time,
 * `blobs_refused`, `blobs_not_chosen`.
 */
export interface Blobs {
  /** Once this answers, the bytes are kept, or are those of the row. */
  put(folder: string, bytes: Uint8Array): Promise<PutBlob>;
  /** The very bytes that were put, as the hash proves. Other errors: `blob_missing`, `blob_damaged`. */
  get(folder: string, mark: BlobMark): Promise<Uint8Array>;
  /** Removes a folder with all that is in it; there need not be one. */
  removeFolder(folder: string): Promise<void>;
}

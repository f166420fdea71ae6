import { statSync } from 'node:fs';

/** Which folder lies at a path now, as far as the file system tells: another one put there later has another. */
export interface FolderIdentity {
  readonly device: string;
  readonly inode: string;
}

export function folderIdentity(folder: string): FolderIdentity {
  const { dev, ino } = statSync(folder, { bigint: true });
  return { device: String(dev), inode: String(ino) };
}

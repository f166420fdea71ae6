import { lstatSync, readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject, parseJsonObject } from '#kernel/json.js';
import type { ProcessIdentity } from '#ports/processes.js';

/** It becomes part of a file's name. */
const NONCE = /^[\w-]{1,100}$/;

/** Which file or folder, whatever its path. */
export interface FileIdentity {
  readonly device: string;
  readonly inode: string;
}

/** What a lock's file says of whoever holds it. */
export interface Holder extends ProcessIdentity {
  readonly nonce: string;
  /** Where the file was made: in a copy of the project it names a folder that is elsewhere. */
  readonly folder: FileIdentity;
}

/** A lock as it lies there. */
export interface PresentLock extends FileIdentity {
  /** Tells it from every other that ever lay there. */
  readonly key: string;
  /** Undefined when it names nobody: an empty file after a power failure, or something else. */
  readonly holder: Holder | undefined;
  /** Milliseconds: when it was made, or renewed. */
  readonly renewedAt: number;
}

export function identityOf(file: string): FileIdentity {
  const { dev, ino } = lstatSync(file, { bigint: true });
  return { device: String(dev), inode: String(ino) };
}

/** Undefined when there is none, also when it goes while we look. */
export function readLock(file: string): PresentLock | undefined {
  const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  const text = stat === undefined ? undefined : textOf(file);
  if (stat === undefined || text === undefined) return undefined;
  const holder = holderIn(text);
  return {
    key: holder?.nonce ?? `unreadable-${stat.ino}-${stat.mtimeNs}`,
    holder,
    device: String(stat.dev),
    inode: String(stat.ino),
    renewedAt: Number(stat.mtimeMs),
  };
}

function holderIn(text: string): Holder | undefined {
  const value = parseJsonObject(text);
  return value !== undefined && isHolder(value) ? value : undefined;
}

function isHolder(value: JsonObject): value is JsonObject & Holder {
  if (!Number.isSafeInteger(value['pid']) || !isJsonObject(value['folder'])) return false;
  const named = ['start', 'host', 'boot', 'namespace', 'nonce'].every((field) => typeof value[field] === 'string');
  return named && NONCE.test(String(value['nonce']));
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

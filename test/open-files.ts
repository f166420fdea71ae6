import { readdirSync, readlinkSync } from 'node:fs';

/** Files below a folder that this process has open, by descriptor; empty if the system does not list them. */
export function openBelow(folder: string): string[] {
  return descriptors().flatMap((descriptor) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${descriptor}`);
      return file.startsWith(`${folder}/`) ? [file] : [];
    } catch {
      return []; // closed meanwhile, like the descriptor of the list itself
    }
  });
}

function descriptors(): string[] {
  try {
    return readdirSync('/proc/self/fd');
  } catch {
    return [];
  }
}

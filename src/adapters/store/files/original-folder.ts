import { lstatSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FROM_PROJECT, GRAPH_FOLDER, type GraphLayout, graphLayout } from '#kernel/graph-folder.js';
import { parseJsonObject } from '#kernel/json.js';
import { ORIGINAL_FOLDER } from '#kernel/original-folder.js';
import { readText, storeError } from './disk.js';
import { holdsGraph } from './paths.js';

/**
 * Takes over the graph of the original workgraph beside `folder`, the path of our graph folder: gives its folder our
 * name and leaves a link under the old one, for scripts. Nothing else here then knows a second name, and nothing
 * follows a link. Returns false if there is no such graph, or ours exists.
 */
export function takeOriginalFolder(folder: string): boolean {
  const original = path.join(path.dirname(folder), ORIGINAL_FOLDER);
  // A link may lead out of the project.
  if (isThere(folder) || !isThere(original)?.isDirectory() || !holdsGraph(graphLayout(original))) return false;
  try {
    renameSync(original, folder);
  } catch (error) {
    throw storeError(error, folder);
  }
  linkOriginalFolder(folder);
  return true;
}

/**
 * Takes over a graph of the original whose folder has a name of its own: moves its files into our graph folder below it
 * and leaves links in their places, for scripts. A repeated call completes one that was interrupted. Returns false if
 * there is no graph, or ours exists.
 */
export function takeNamedFolder(folder: string): boolean {
  const own = path.join(folder, GRAPH_FOLDER);
  const draft = `${own}.draft`;
  const begun = isThere(draft);
  const isFree = isThere(own) === undefined && (begun === undefined || begun.isDirectory()); // a link may lead out of it
  if (!isFree || !(begun || isGraph(graphLayout(folder).graph))) return false;
  try {
    mkdirSync(draft, { recursive: true });
    for (const name of NAMES)
      moveLinked(path.join(folder, name), path.join(draft, name), path.join(GRAPH_FOLDER, name));
    renameSync(draft, own);
  } catch (error) {
    throw storeError(error, own);
  }
  return true;
}

/** Whether a file begins like a graph of the original; a folder may hold another file of this name. */
function isGraph(file: string): boolean {
  if (!isThere(file)?.isFile()) return false;
  const [first = ''] = (readText(file) ?? '').trimStart().split('\n', 1);
  return first === '' || typeof parseJsonObject(first)?.['kind'] === 'string';
}

/** Names of what a graph folder of the original may hold. */
const NAMES: readonly string[] = [
  ...(['graph', 'log', 'pieces', 'archive', 'gitIgnore', 'settings', 'agency', 'federation'] as const).map(inFolder),
  ...(['executors', 'functions', 'snapshots', 'agents', 'service'] as const).map(inFolder),
  ...['messages', 'models.yaml', 'identity.json'],
];

function inFolder(name: keyof typeof FROM_PROJECT): string {
  return path.basename(FROM_PROJECT[name]);
}

/** Moves a file or folder, unless it is a link already, and leaves a link to where it will be. */
function moveLinked(from: string, to: string, link: string): void {
  const found = isThere(from);
  if (found && !found.isSymbolicLink()) renameSync(from, to);
  if (isThere(to) && !isThere(from)) symlinkSync(link, from);
}

/** Creates the settings file, unless there is one; returns whether it did. Without a line the default applies. */
export function createSettings({ settings }: GraphLayout): boolean {
  if (isThere(settings)) return false;
  try {
    writeFileSync(settings, '# `troupe config show` lists all settings and their defaults.\n', { flag: 'wx' });
  } catch (error) {
    throw storeError(error, settings);
  }
  return true;
}

/** Puts a link under the old name beside `folder`, unless something is there. */
export function linkOriginalFolder(folder: string): void {
  const original = path.join(path.dirname(folder), ORIGINAL_FOLDER);
  if (isThere(original)) return;
  try {
    symlinkSync(path.basename(folder), original);
  } catch (error) {
    throw storeError(error, original);
  }
}

const isThere = (file: string) => lstatSync(file, { throwIfNoEntry: false });

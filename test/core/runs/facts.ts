import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { GraphView } from '#core/graph/view.js';
import { buildPrompt, type Prompt } from '#core/runs/build-prompt.js';
import type { PromptFacts } from '#core/runs/prompt-facts.js';
import { parseWording, WORDING_NAMES } from '#core/runs/prompt-wording.js';

const FOLDER = path.resolve(import.meta.dirname, '../../../data/prompts');
export const WORDING = parseWording(
  new Map(WORDING_NAMES.map((name) => [name, readFileSync(path.join(FOLDER, `${name}.md`), 'utf8')])),
);
export const NONCE = 'Nq7-fresh_Random0';

/** A prompt with the shipped texts; missing facts are minimal. */
export function promptFor(view: GraphView, id: string, facts: Partial<PromptFacts> = {}): Prompt {
  const who = {
    mode: 'full',
    attempt: 1,
    tree: 'own',
    mayAdd: true,
    report: { by: 'commands' },
    commits: 'shell',
  } as const;
  const plain = { scope: 'full', nonce: NONCE, wording: WORDING, program: 'troupe', ...who } as const;
  return buildPrompt(view, id, { ...plain, ...facts });
}

export function sectionOf(prompt: Prompt, name: string): string {
  return prompt.sections.find((section) => section.name === name)?.text ?? '';
}

/** Splits a prompt into blocks by label and the text outside of them. Throws if blocks are not properly closed. */
export function taken(text: string, nonce = NONCE): { blocks: { label: string; text: string }[]; outside: string[] } {
  const blocks: { label: string; text: string }[] = [];
  const outside: string[] = [];
  let open: { label: string; lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const opens = line.startsWith(`<<<data-${nonce} `);
    const closes = line.startsWith(`data-${nonce}>>>`);
    if (opens === closes) (open?.lines ?? outside).push(line);
    if (opens && open) throw new Error(`a block within ${open.label}`);
    if (opens) open = { label: line.slice(`<<<data-${nonce} `.length), lines: [] };
    if (!closes) continue;
    if (!open) throw new Error('an end without a beginning');
    blocks.push({ label: open.label, text: open.lines.join('\n') });
    outside.push(line.slice(`data-${nonce}>>>`.length));
    open = undefined;
  }
  if (open) throw new Error(`${open.label} does not end`);
  return { blocks, outside };
}

export function blockOf(text: string, label: string): string {
  const found = taken(text).blocks.find((block) => block.label === label);
  if (!found) throw new Error(`no block ${label}`);
  return found.text;
}

import { FORMATION_LIMITS } from '#kernel/limits/formations.js';

/**
 * The commands of a release: the bytes of the one fenced block in the section `## Commands` of a DEPLOY.md; empty where that section
 * has none. With several blocks or sections nobody guesses what is run: then `problem` says what is wrong.
 */
export function releaseCommands(text: string): { readonly commands: string } | { readonly problem: string } {
  const [section, ...others] = sectionsOf(text).filter(({ heading }) => /^##[ \t]+commands[ \t]*#*$/i.test(heading));
  if (!section) return { problem: 'has no section `## Commands`' };
  if (others.length > 0) return { problem: 'has more than one section `## Commands`' };
  const [block = '', ...blocks] = section.blocks;
  if (blocks.length > 0) return { problem: 'has more than one block of commands' };
  if (section.open) return { problem: 'has a block of commands without an end' };
  if (block.includes('\0')) return { problem: 'holds a NUL among its commands' };
  if (new TextEncoder().encode(block).length > FORMATION_LIMITS.releaseBytes)
    return { problem: `has more than ${FORMATION_LIMITS.releaseBytes} bytes of commands` };
  return { commands: block };
}

interface Section {
  readonly heading: string;
  readonly blocks: string[];
  /** Its last block has no end. */
  open: boolean;
}

/** The sections of the second level with the fenced blocks in them; headings inside of fences are text. */
function sectionsOf(text: string): Section[] {
  const sections: Section[] = [{ heading: '', blocks: [], open: false }];
  let fence: { mark: string; lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const section = sections.at(-1) as Section;
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence) {
      const ends = mark.startsWith(fence.mark) && /^ {0,3}[`~]+[ \t]*\r?$/.test(line);
      if (!ends) fence.lines.push(line);
      else {
        section.blocks.push(fence.lines.map((one) => `${one}\n`).join(''));
        section.open = false;
        fence = undefined;
      }
    } else if (mark !== '') {
      fence = { mark, lines: [] };
      section.open = true;
    } else if (/^##?[ \t]/.test(line)) sections.push({ heading: line.trimEnd(), blocks: [], open: false });
  }
  return sections;
}

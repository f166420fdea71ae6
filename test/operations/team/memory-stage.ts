import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { confirm } from '#operations/squad/confirm.js';
import { exportMemory, importMemory } from '#operations/squad/memory-files.js';
import { manual } from '#operations/squad/proposals.js';
import { Stage } from './casting-stage.js';

export const INBOX = '.squad/decisions/inbox';

export const inboxFile = (more: Partial<Record<'agent' | 'slug' | 'type' | 'title' | 'body', string>> = {}) => {
  const { agent = 'neo', slug = 'one-store', type = 'architectural', title = 'One store', body = 'Keep it.' } = more;
  return `---\nagent: ${agent}\nslug: ${slug}\ntype: ${type}\ntitle: ${title}\n---\n\n${body}\n`;
};

/** A project with a team of Neo and Trinity and its memory. */
export class MemoryStage extends Stage {
  static async withTeam(): Promise<MemoryStage> {
    const stage = new MemoryStage();
    await stage.call(manual, { archetypes: ['backend-engineer', 'writer'], universe: 'The Matrix' });
    await stage.call(confirm);
    return stage;
  }

  put(relative: string, text: string | Uint8Array): void {
    const file = path.join(this.folder, relative);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  text(relative: string): string | undefined {
    const found = this.files()[relative];
    return found === undefined ? undefined : Buffer.from(found, 'latin1').toString('utf8');
  }

  import() {
    return this.call(importMemory);
  }

  export() {
    return this.call(exportMemory);
  }

  inbox(): string[] {
    return Object.keys(this.files())
      .filter((name) => name.startsWith(`${INBOX}/`))
      .map((name) => name.slice(INBOX.length + 1))
      .sort();
  }
}

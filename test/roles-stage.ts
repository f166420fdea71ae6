import type { Starter } from '#core/lanes/starters.js';
import { parseJsonObject } from '#kernel/json.js';
import type { RoleChangeUnderWay, RoleRecords } from '#ports/role-records.js';
import type { RoleStarters } from '#ports/role-starters.js';

/** What is kept of roles beside their files, kept nowhere; a test may look, and leave something half-way. */
export class RoleRecordsInMemory implements RoleRecords {
  readonly kept = new Map<string, string>();
  begun: RoleChangeUnderWay | undefined;
  private last: Promise<unknown> = Promise.resolve();

  async proposals() {
    const records = [...this.kept].sort().map(([id, text]) => ({ id, value: recordIn(text) }));
    return { records, warnings: [] };
  }

  async keepProposal(id: string, text: string): Promise<void> {
    this.kept.set(id, text);
  }

  async underWay(): Promise<boolean> {
    return this.begun !== undefined;
  }

  async change<Result>(work: Parameters<RoleRecords['change']>[0]): Promise<Result> {
    const turn = this.last.then(() =>
      work(this.begun, async (underWay) => {
        this.begun = underWay;
      }),
    );
    this.last = turn.catch(() => undefined);
    return (await turn) as Result;
  }
}

/** One key a line, its value as JSON. */
function recordIn(text: string): unknown {
  const lines = text.trim().split('\n');
  return parseJsonObject(`{${lines.map((line) => line.replace(/^(\w+): /, '"$1": ')).join(',')}}`);
}

export class StartersInMemory implements RoleStarters {
  async text(name: Starter): Promise<string> {
    return `# ${name}\n\n## Charter\n\nIs a ${name}.\n\n## Body\n\nDeliverable: what a ${name} makes.\n\n## Learnings (solo)\n`;
  }
}

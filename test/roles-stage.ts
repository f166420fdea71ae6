import type { Starter } from '#core/roles/starters.js';
import type { RoleStarters } from '#ports/role-starters.js';

export class StartersInMemory implements RoleStarters {
  async text(name: Starter): Promise<string> {
    return `# ${name}\n\n## Charter\n\nIs a ${name}.\n\n## Body\n\nDeliverable: what a ${name} makes.\n\n## Learnings (solo)\n`;
  }
}

import path from 'node:path';
import { AgencyFolder } from '#adapters/agency/agency-folder.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { systemClock } from '#kernel/clock.js';
import { AgencyInMemory } from '../agency-in-memory.js';
import { room } from '../room.js';
import { agencyContract } from './agency.js';

agencyContract('files', () => {
  const top = path.join(room(), '.workgraph', 'agency');
  const make = () => new AgencyFolder({ top, shipped: '', processes: new ProcessTable(), clock: systemClock });
  return { files: make(), again: make };
});

agencyContract('memory', () => {
  const files = new AgencyInMemory();
  return { files, again: () => files };
});

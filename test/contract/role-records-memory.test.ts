import { RoleRecordsInMemory } from '../roles-stage.js';
import { roleRecordsContract } from './role-records.js';

roleRecordsContract('memory', () => new RoleRecordsInMemory());

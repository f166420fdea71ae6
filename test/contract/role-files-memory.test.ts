import { RolesInMemory } from '../roles-in-memory.js';
import { roleFilesContract } from './role-files.js';

roleFilesContract('memory', () => new RolesInMemory());

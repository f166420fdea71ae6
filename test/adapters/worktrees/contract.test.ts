import { worktreeContract } from '../../contract/worktrees.js';
import { apart } from './apart.js';
import { place } from './place.js';

worktreeContract('attempts and results in one repository', () => place({ 'f.txt': 'one\n' }));
worktreeContract('in two clones, joined by a bare repository', () => apart('bare'));
worktreeContract('in two clones, joined by the repository of the person', () => apart('person'));

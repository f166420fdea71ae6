#!/usr/bin/env node
import module from 'node:module';

// Node 22 and later can keep compiled code between starts, if told before the code is loaded. Node 20 cannot, and does
// without.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
import('#main/command-line.js').then(({ main }) => main());

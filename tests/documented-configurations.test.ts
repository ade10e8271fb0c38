import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const read = (name: string) => readFileSync(path.join(import.meta.dirname, '..', name), 'utf8');

it.each([
  ['deploy/caddy/Caddyfile', 'docs/operate.md'],
  ['deploy/nginx/dentarium.conf', 'docs/operate.md'],
  ['deploy/caddy/Caddyfile', 'README.md'],
])('%s, which the tests run, is what %s prints', (file, page) => {
  expect(read(page)).toContain(`\n\`\`\`\n${read(file)}\`\`\`\n`);
});

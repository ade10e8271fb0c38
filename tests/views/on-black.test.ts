import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const css = readFileSync('src/views/theme/theme.css', 'utf8');
const tokensOf = (selector: string): Readonly<Record<string, string>> => {
  const block = css.split(`\n${selector} {`)[1]?.split('\n}')[0];
  if (!block) throw new Error(`no block of ${selector}`);
  return Object.fromEntries([...block.matchAll(/^ {2}(--[\w-]+): (.+);$/gm)].map(([, name, value]) => [name, value]));
};

it('has on black, in every theme, the colours of the dark one for the buttons there', () => {
  const onBlack = tokensOf('[data-on-black]');
  expect(tokensOf(':root[data-mantine-color-scheme="dark"]')).toMatchObject(onBlack);
  // The tokens of `tool-button.module.css`.
  const button = readFileSync('src/views/ui/tool-button.module.css', 'utf8');
  const used = [...button.matchAll(/var\((--(?:ink|accent|hover)[\w-]*)\)/g)].map(([, name]) => name);
  expect(used.length).toBeGreaterThan(2);
  expect(Object.keys(onBlack)).toEqual(expect.arrayContaining(used));
});

import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { RowMenu } from '../../src/views/search/row-menu.tsx';
import { show } from './render.tsx';

const opener = () => screen.getByRole('button', { name: 'More for Anna' });
const item = (name: string) => screen.findByRole('menuitem', { name, hidden: true });

it('opens by its first press already, and looks the same before and after', async () => {
  const onDo = vi.fn();
  await show(<RowMenu label="More for Anna" actions={[{ text: 'Delete', icon: null, disabledReason: null, onDo }]} />);
  const style = opener().className.trim();
  expect(opener().getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(opener());
  const first = await item('Delete');
  expect(opener().getAttribute('aria-expanded')).toBe('true');
  expect(opener().className.trim()).toBe(style);
  await userEvent.click(first);
  expect(onDo).toHaveBeenCalledTimes(1);
});

import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ToolButton } from '../../src/views/ui/tool-button.tsx';
import { show } from './render.tsx';

const hints = () => [...document.querySelectorAll('[role="tooltip"]')].map(({ textContent }) => textContent);
const button = (name: string) => screen.getByRole('button', { name });

const draw = async (reason: string | null = null) => {
  const onClick = vi.fn();
  await show(
    <>
      <ToolButton label="Turn right" shortcut="R" reason={reason} onClick={onClick}>
        <svg />
      </ToolButton>
      <ToolButton label="Turn left" onClick={onClick}>
        <svg />
      </ToolButton>
    </>,
  );
  return onClick;
};

it('shows label and shortcut after hovering, not when the pointer only passes', async () => {
  await draw();
  fireEvent.pointerEnter(button('Turn left'), { pointerType: 'mouse' });
  fireEvent.pointerLeave(button('Turn left'));
  fireEvent.pointerEnter(button('Turn right'), { pointerType: 'mouse' });
  expect(hints()).toEqual([]);
  await waitFor(() => expect(hints()).toEqual(['Turn rightR']));
  fireEvent.pointerLeave(button('Turn right'));
  await waitFor(() => expect(hints()).toEqual([]));
});

it('shows nothing on touch', async () => {
  await draw();
  fireEvent.pointerEnter(button('Turn left'), { pointerType: 'touch' });
  fireEvent.pointerEnter(button('Turn right'), { pointerType: 'mouse' });
  await waitFor(() => expect(hints()).toEqual(['Turn rightR']));
});

it('shows why it is disabled on keyboard focus, until Escape, and does nothing', async () => {
  const onClick = await draw('Nothing is open');
  await userEvent.tab();
  await waitFor(() => expect(hints()).toEqual(['Turn rightRNothing is open']));
  expect(button('Turn right').getAttribute('aria-description')).toBe('Nothing is open');
  await userEvent.keyboard('{Enter}');
  expect(onClick).not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(hints()).toEqual([]));
  expect(document.activeElement).toBe(button('Turn right'));
});

it('stays hidden after Escape under a pointer that has just entered', async () => {
  await draw();
  await userEvent.tab();
  await waitFor(() => expect(hints()).toEqual(['Turn rightR']));
  fireEvent.pointerEnter(button('Turn right'), { pointerType: 'mouse' });
  fireEvent.keyDown(button('Turn right'), { key: 'Escape' });
  await waitFor(() => expect(hints()).toEqual([]));
  // Rests as long as the pointer that entered before Escape, which would have been first.
  fireEvent.pointerEnter(button('Turn left'), { pointerType: 'mouse' });
  await waitFor(() => expect(hints()).toContain('Turn left'));
  expect(hints()).toEqual(['Turn left']);
});

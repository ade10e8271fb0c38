import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { reassignUser } from '../../contract/customers.ts';
import { ReassignUser } from '../../src/views/forms/reassign-user.tsx';
import { anArchive, type Called, WithAdministration } from './administration-fixture.tsx';
import { bodyOf, oresund, refused, usual, withClinicsPage } from './clinics-fixture.tsx';
import { idOf } from './records.ts';
import { show } from './render.tsx';

withClinicsPage();

describe('moving a user to another clinic', () => {
  const user = { id: idOf(9), firstName: 'Maja', lastName: 'Lindqvist', customer: { id: idOf(1), name: 'Ljungheden' } };
  const openMove = async (answer: (called: Called) => unknown) => {
    const archive = anArchive(answer);
    const onMoved = vi.fn<() => void>();
    await show(
      <WithAdministration call={archive.call}>
        <ReassignUser user={user} onClose={() => {}} onMoved={onMoved} />
      </WithAdministration>,
    );
    return { ...archive, onMoved };
  };

  it('offers every other clinic', async () => {
    const { calls, onMoved } = await openMove((called) => (called.route === reassignUser ? {} : usual(called)));
    await userEvent.click(await screen.findByRole('radio', { name: /Öresund/ }));
    expect(screen.queryByRole('radio', { name: /Ljungheden/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Move' }));
    await waitFor(() => expect(onMoved).toHaveBeenCalledOnce());
    expect(bodyOf(calls, reassignUser)).toEqual({ userId: user.id, newCustomerId: oresund.id });
  });

  it('shows why it was rejected', async () => {
    const { onMoved } = await openMove((called) => {
      if (called.route === reassignUser) throw refused('cannot-move-user');
      return usual(called);
    });
    await userEvent.click(await screen.findByRole('radio', { name: /Öresund/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Move' }));
    expect(await screen.findByText('A system administrator belongs to no clinic and cannot be moved')).toBeTruthy();
    expect(onMoved).not.toHaveBeenCalled();
  });
});

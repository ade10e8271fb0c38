import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Readable } from '../reading.tsx';

/**
 * The record that a form edits, and how to take the archive's instead when somebody else was faster. `edition` changes with it: the key
 * of the form, which then begins anew. A record that is gone by then stays as it was.
 */
export const useKnown = <T, Reply>(
  first: T,
  readable: () => Readable<Reply>,
  find: (reply: Reply) => T | undefined,
) => {
  const client = useQueryClient();
  const [{ known, edition }, setKnown] = useState({ known: first, edition: 0 });
  const loadTheirs = async () => {
    const reply = await client.fetchQuery({ ...readable(), staleTime: 0 });
    setKnown({ known: find(reply) ?? known, edition: edition + 1 });
  };
  return { known, edition, loadTheirs: () => void loadTheirs().catch(() => undefined) };
};

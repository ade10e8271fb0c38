import { useState } from 'react';
import type { ImportsActor } from '../../machines/imports/imports.machine.ts';
import { DropOverlay, FoldersOpening } from './drop-overlay.tsx';
import { useFileDrop } from './use-file-drop.ts';
import { useGather } from './use-gather.ts';
import { useOpenImports } from './use-open-imports.ts';

interface DropAnywhereProps {
  readonly actor: ImportsActor;
  readonly clinic: { readonly id: string; readonly name: string };
  /** This page takes files by itself. */
  readonly asleep: boolean;
  readonly onStarted: () => void;
}

const Catcher = ({ actor, clinic, onStarted }: Omit<DropAnywhereProps, 'asleep'>) => {
  const [count, setCount] = useState<number | null>(null);
  const take = useGather({ tray: actor, target: { patientId: null, customerId: clinic.id }, onStarted });
  const above = useFileDrop({ onFiles: take, onCount: setCount });
  return (
    <>
      {count !== null && <FoldersOpening count={count} />}
      {above && <DropOverlay name={clinic.name} />}
    </>
  );
};

const ignored = () => {};

/** Files let go on a page that is no patient's become imports of the clinic; what the person began elsewhere is in the tray too. */
export const DropAnywhere = ({ actor, clinic, asleep, onStarted }: DropAnywhereProps) => {
  useOpenImports(actor, { customerId: clinic.id }, ignored);
  return asleep ? null : <Catcher actor={actor} clinic={clinic} onStarted={onStarted} />;
};

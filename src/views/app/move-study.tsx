import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, Suspense, useContext, useMemo, useState } from 'react';
import type { SessionActor } from '../../machines/session/session.machine.ts';
import { lazyComponent } from '../ui/lazy-component.ts';
import { useAppQueries } from './queries-context.tsx';
import { useRecordRights } from './rights.ts';

/** A study to be moved: from a list to a patient yet to be chosen, or from another patient to that of an import. */
export interface StudyMove {
  readonly studyId: string;
  readonly name: string;
  readonly patientFromId: string;
  readonly patientToId: string | null;
  readonly customerId: string;
  readonly onMoved?: () => void;
}

/** Opens the dialog that moves a study; `disabledReason`: why the user may not. */
interface MoveStudyActions {
  readonly request: (move: StudyMove) => void;
  readonly disabledReason: string | null;
}

const MoveStudyContext = createContext<MoveStudyActions | null>(null);

export const MoveStudyProvider = MoveStudyContext.Provider;

export const useMoveStudy = (): MoveStudyActions | null => useContext(MoveStudyContext);

const MoveDialog = lazyComponent(async () => (await import('../merge/move-dialog.tsx')).MoveDialog);

/** Provides lists and imports with the dialog that moves a study. */
export const MoveStudy = ({ session, children }: { readonly session: SessionActor; readonly children: ReactNode }) => {
  const [move, setMove] = useState<StudyMove | null>(null);
  const { merge: disabledReason } = useRecordRights(session);
  const { data: from = null } = useQuery({
    ...useAppQueries().patient(move?.patientFromId ?? ''),
    enabled: move !== null && move.patientToId === null,
  });
  const actions = useMemo(() => ({ request: setMove, disabledReason }), [disabledReason]);
  return (
    <MoveStudyProvider value={actions}>
      {children}
      <Suspense fallback={null}>
        {move && (
          <MoveDialog
            record={{ ...move, what: 'study', id: move.studyId }}
            from={from}
            {...(move.patientToId !== null && { patientToId: move.patientToId })}
            onClose={() => setMove(null)}
            onMoved={() => move.onMoved?.()}
          />
        )}
      </Suspense>
    </MoveStudyProvider>
  );
};

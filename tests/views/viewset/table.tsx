import type { Viewset } from '../../../contract/viewsets.ts';
import type { ViewsetActor } from '../../../src/machines/viewset/viewset.machine.ts';
import type { Stage } from '../../../src/viewer/index.ts';
import { BoardOverlay } from '../../../src/views/viewset/board-overlay.tsx';
import type { MountRights } from '../../../src/views/viewset/desk-deeds.ts';
import { DeskVoice } from '../../../src/views/viewset/desk-voice.tsx';
import { Tray } from '../../../src/views/viewset/tray.tsx';
import { useDesk } from '../../../src/views/viewset/use-desk.ts';
import { useMountKeys } from '../../../src/views/viewset/use-mount-keys.ts';
import { show } from '../render.tsx';
import { mutedStage, openedActor } from './mount-fixture.ts';

interface TableProps {
  readonly actor: ViewsetActor;
  readonly stage: Stage;
  readonly rights: MountRights;
  readonly onOpen: (imageUid: string) => void;
  readonly onRefused: (text: string) => void;
}

const Table = ({ actor, stage, rights, onOpen, onRefused }: TableProps) => {
  const desk = useDesk({ actor, rights, onRefused });
  const typed = useMountKeys({ desk, onOpen });
  if (!desk) return null;
  return (
    <>
      <button type="button">Somewhere else</button>
      <input aria-label="Text" />
      <div>
        <BoardOverlay
          desk={desk}
          stage={stage}
          board={{ left: 0, top: 0, scale: 0.1 }}
          isDrawn={() => false}
          onOpen={onOpen}
        />
      </div>
      <Tray desk={desk} onOpen={onOpen} />
      <DeskVoice actor={actor} desk={desk} typed={typed} />
    </>
  );
};

/** The mount, its tray and its keys on a page, over a machine whose archive agrees to everything. */
export const layTable = async (viewset: Viewset, rights: MountRights = { detach: true, move: true }) => {
  const { actor, calls } = await openedActor(viewset);
  const { stage, tell } = mutedStage();
  const opened: string[] = [];
  const refusals: string[] = [];
  const page = await show(
    <Table
      actor={actor}
      stage={stage}
      rights={rights}
      onOpen={(uid) => opened.push(uid)}
      onRefused={(text) => refusals.push(text)}
    />,
  );
  return { actor, calls, tell, opened, refusals, page };
};

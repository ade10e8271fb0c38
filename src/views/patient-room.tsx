import { useSelector } from '@xstate/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type SessionActor, selectMay } from '../machines/session/session.machine.ts';
import type { ViewerActor } from '../machines/viewer/viewer.machine.ts';
import type { ViewsetActor } from '../machines/viewset/viewset.machine.ts';
import { useResumedChanges } from './drafts/use-resumed-changes.ts';
import { useGround } from './ground.tsx';
import { toast } from './parts/toast.ts';
import { useEditActions } from './patient/edit-actions.ts';
import { ImageFacts } from './patient/image-facts.tsx';
import type { Room } from './patient/patient-page.tsx';
import { viewsetPath } from './patient/place.ts';
import classes from './patient-room.module.css';
import { ReadingRoom } from './viewer/reading-room.tsx';
import { useSaveRefusals } from './viewer/use-save-refusals.ts';
import { BoardOverlay } from './viewset/board-overlay.tsx';
import { DeskVoice } from './viewset/desk-voice.tsx';
import { useMountShortcuts } from './viewset/mount-shortcuts.ts';
import { filledBeside, itemOf, slotOfImage } from './viewset/slot-geometry.ts';
import { StudyBar } from './viewset/study-bar.tsx';
import { Tray } from './viewset/tray.tsx';
import { useDesk } from './viewset/use-desk.ts';
import { useMountKeys } from './viewset/use-mount-keys.ts';
import { useRefusals } from './viewset/use-refusals.ts';
import { ViewsetBar } from './viewset/viewset-bar.tsx';

interface PatientRoomProps {
  readonly room: Room;
  readonly session: SessionActor;
  readonly viewer: ViewerActor;
  readonly viewsets: ViewsetActor;
}

/** The reading room with the mount's slots above its canvas and the tray below it: one stage, whatever of the patient is shown. */
export const PatientRoom = ({ room, session, viewer, viewsets }: PatientRoomProps) => {
  const { t } = useTranslation('shell');
  const { openImages } = useGround();
  const { content, patient, study, studies, onOpen } = room;
  const rights = {
    detach: !useSelector(session, selectMay('disable.detach_image')),
    move: !useSelector(session, selectMay('disable.move_view_set')),
  };
  const edit = useEditActions();
  const shortcuts = useMountShortcuts();
  const desk = useDesk({
    actor: viewsets,
    rights,
    onRefused: (text) => toast({ tone: 'bad', text, close: t('close') }),
  });
  useRefusals(viewsets);
  useSaveRefusals(viewer);
  useResumedChanges(viewer, viewsets);
  const mount = content.kind === 'mount' ? desk : null;
  const typed = useMountKeys({ desk: mount, onOpen });
  const [compared, setCompared] = useState<string | null>(null);

  const selected = mount ? itemOf(mount.viewset, mount.slot) : null;
  const inHand = () => {
    if (content.kind === 'image') return content.shown;
    if (content.kind === 'compare')
      return content.images.find(({ image }) => image.uid === compared) ?? content.images[0] ?? null;
    return selected?.activeImage
      ? { image: selected.activeImage, item: selected, viewsetId: content.viewset.viewSetUuid }
      : null;
  };
  const shown = inHand();
  const choose = (imageUid: string) => {
    if (!mount) return setCompared(imageUid);
    mount.zone.current = 'mount';
    mount.chooseSlot(slotOfImage(mount.viewset, imageUid)?.itemIndex ?? null);
  };
  const step = (by: 1 | -1) => {
    if (!mount) return room.onStep(by);
    const next = shown ? filledBeside(mount.viewset, shown.image.uid, by) : null;
    if (next) mount.chooseSlot(next.itemIndex);
  };

  return (
    <div className={classes.room} data-room>
      <ReadingRoom
        actor={viewer}
        openImages={openImages}
        patient={{
          name: `${patient.mainInfo.firstName} ${patient.mainInfo.lastName}`,
          personalNumber: patient.mainInfo.personalNumber,
        }}
        content={content}
        inHand={shown?.image.uid ?? null}
        onChoose={choose}
        onOpen={onOpen}
        onStep={step}
        onBack={room.onBack}
        onCompare={shown && room.onCompare ? () => room.onCompare?.(shown.image.uid) : null}
        bar={
          desk ? (
            <ViewsetBar
              viewset={desk.viewset}
              study={study}
              studies={studies}
              pathOf={(one, viewsetId) => viewsetPath(patient.id, one, viewsetId)}
              edit={edit}
            />
          ) : (
            study && <StudyBar study={study} edit={edit} />
          )
        }
        renderBoard={(board, stage, isDrawn) =>
          mount && <BoardOverlay desk={mount} stage={stage} board={board} isDrawn={isDrawn} onOpen={onOpen} />
        }
        aside={shown && <ImageFacts image={shown.image} slotTeeth={shown.item?.teeth ?? []} />}
        extraShortcuts={shortcuts}
      />
      {mount && <Tray desk={mount} onOpen={onOpen} />}
      {mount && <DeskVoice actor={viewsets} desk={mount} typed={typed} />}
    </div>
  );
};

import { Button } from '@mantine/core';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import { useSelector } from '@xstate/react';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import {
  selectIsSaveDelayed as selectIsDisplaySaveDelayed,
  type ViewerActor,
} from '../../machines/viewer/viewer.machine.ts';
import {
  selectIsSaveDelayed as selectIsMountSaveDelayed,
  type ViewsetActor,
} from '../../machines/viewset/viewset.machine.ts';
import { type DraftSubject, draftSubject, type StoredDraft, useDrafts } from '../app/drafts-context.ts';
import { undoToast } from '../ui/action-toast.tsx';
import classes from './draft-offers.module.css';

interface DraftOffersProps {
  /** Navigates to the page of the draft. */
  readonly onGo: (place: string) => void;
}

const textKeyOf = (matter: DraftSubject) =>
  matter.kind === 'note' && matter.subject === 'viewset' ? 'note-mount' : matter.kind;

/** Offers unsaved drafts that are not open, to continue or discard them. */
export const DraftOffers = ({ onGo }: DraftOffersProps) => {
  const { t, i18n } = useTranslation(['drafts', 'shell']);
  const drafts = useDrafts();
  const offered = useSyncExternalStore(drafts.subscribe, drafts.offered);
  const offers = offered.flatMap((draft) => {
    const matter = draftSubject.safeParse(draft.what).data;
    return matter ? [{ draft, matter }] : [];
  });
  if (offers.length === 0) return null;
  const discard = (draft: StoredDraft, matter: DraftSubject) => {
    drafts.drop(draft.key);
    const again = () => drafts.save({ key: draft.key, place: draft.place, what: matter, content: draft.content });
    undoToast({ text: t('discarded'), undo: t('undo'), close: t('shell:close'), onUndo: again });
  };
  const time = (at: number) => new Date(at).toLocaleTimeString(i18n.language, { hour: '2-digit', minute: '2-digit' });
  return (
    <section className={classes.strip} aria-label={t('title')} data-chrome>
      <ul role="status">
        {offers.map(({ draft, matter }) => (
          <li key={draft.key}>
            <IconPencil aria-hidden="true" />
            <span className={classes.words}>
              {t('intro')} <strong>{t(textKeyOf(matter), { name: matter.name })}</strong>{' '}
              <span className={classes.time}>{time(draft.keptAt)}</span>
            </span>
            <span className={classes.buttons}>
              <Button
                size="compact-sm"
                onClick={() => {
                  onGo(draft.place);
                  drafts.resume(draft.key);
                }}
              >
                {t('continue')}
              </Button>
              <Button size="compact-sm" variant="subtle" color="gray" onClick={() => discard(draft, matter)}>
                {t('discard')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};

interface UnsavedChangesProps {
  readonly viewer: ViewerActor;
  readonly viewset: ViewsetActor;
}

/** Shows that the server is unreachable while changes wait to be saved. */
export const UnsavedChanges = ({ viewer, viewset }: UnsavedChangesProps) => {
  const { t } = useTranslation('drafts');
  const isDisplayDelayed = useSelector(viewer, selectIsDisplaySaveDelayed);
  const isMountDelayed = useSelector(viewset, selectIsMountSaveDelayed);
  return (
    <div role="status">{(isDisplayDelayed || isMountDelayed) && <p className={classes.waiting}>{t('waiting')}</p>}</div>
  );
};

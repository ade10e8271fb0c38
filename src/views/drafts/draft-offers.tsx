import { Button } from '@mantine/core';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { type DraftMatter, draftMatter, type KeptDraft, useDrafts } from '../kept-drafts.ts';
import { undoToast } from '../parts/undo-toast.tsx';
import classes from './draft-offers.module.css';

interface DraftOffersProps {
  /** Goes to where it was begun. */
  readonly onGo: (place: string) => void;
}

/** Work that the archive does not have yet and that nobody is at: offered until it is gone on with or discarded. */
export const DraftOffers = ({ onGo }: DraftOffersProps) => {
  const { t, i18n } = useTranslation(['drafts', 'shell']);
  const drafts = useDrafts();
  const offered = useSyncExternalStore(drafts.subscribe, drafts.offered);
  const known = offered.flatMap((draft) => {
    const matter = draftMatter.safeParse(draft.what).data;
    return matter ? [{ draft, matter }] : [];
  });
  if (known.length === 0) return null;
  const discard = (draft: KeptDraft, matter: DraftMatter) => {
    drafts.drop(draft.key);
    const again = () => drafts.keep({ key: draft.key, place: draft.place, what: matter, content: draft.content });
    undoToast({ text: t('discarded'), undo: t('undo'), close: t('shell:close'), onUndo: again });
  };
  const time = (at: number) => new Date(at).toLocaleTimeString(i18n.language, { hour: '2-digit', minute: '2-digit' });
  return (
    <section className={classes.strip} aria-label={t('title')} data-chrome>
      <ul role="status">
        {known.map(({ draft, matter }) => (
          <li key={draft.key}>
            <IconPencil aria-hidden="true" />
            <span className={classes.words}>
              {t('youWere')} <strong>{t(matter.kind, { name: matter.name })}</strong>{' '}
              <span className={classes.time}>{time(draft.keptAt)}</span>
            </span>
            <span className={classes.answers}>
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

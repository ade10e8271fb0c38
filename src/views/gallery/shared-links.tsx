import { Loader, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { endedListedDays, type SharedLink } from '../../../contract/shared-links.ts';
import { useGallery } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { useMomentText } from '../language/file-error-text.ts';
import { ConfirmInPlace } from '../ui/confirm-in-place.tsx';
import { Notice } from '../ui/notice.tsx';
import classes from './shared-links.module.css';

const EndLink = ({ link }: { readonly link: SharedLink }) => {
  const { t } = useTranslation('share');
  const gallery = useGallery();
  const failureText = useFailureText();
  const { id, recipient } = link;
  const texts = {
    action: t('end'),
    actionOf: t('endOf', { recipient }),
    question: t('endQuestion', { recipient }),
    confirm: t('endConfirm'),
    keep: t('keep'),
  };
  const problemOf = (error: unknown) => t('endFailed', { reason: failureText(failureOfQuery(error)) });
  return <ConfirmInPlace texts={texts} onConfirm={() => gallery.endLink(id)} problemOf={problemOf} />;
};

const LinkItem = ({ link }: { readonly link: SharedLink }) => {
  const { t } = useTranslation('share');
  const momentText = useMomentText();
  const { recipient, purpose, images, madeBy, madeAt, opened, lastOpenedAt, state, endedAt, expiresAt } = link;
  const openings = lastOpenedAt ? t('opened', { count: opened, at: momentText(lastOpenedAt) }) : t('never');
  return (
    <li className={classes.link} data-open={state === 'open' || undefined}>
      <h3 className={classes.recipient}>{recipient}</h3>
      <p>{[purpose, t('images', { count: images })].filter(Boolean).join(', ')}</p>
      <p className={classes.state}>{t(`state-${state}`, { at: momentText(endedAt ?? expiresAt) })}</p>
      <p className={classes.dimmed}>{openings}</p>
      <p className={classes.dimmed}>{t('made', { name: madeBy, at: momentText(madeAt) })}</p>
      {state === 'open' && <EndLink link={link} />}
    </li>
  );
};

const LinkList = ({ patientId }: { readonly patientId: string }) => {
  const { t } = useTranslation('share');
  const failureText = useFailureText();
  const { data, error } = useQuery(useGallery().sharedLinks(patientId));
  if (error && !data) return <Notice urgent title={t('loadFailed', { reason: failureText(failureOfQuery(error)) })} />;
  if (!data) return <Loader size="sm" />;
  const { isOffered, data: links } = data;
  return (
    <>
      {!isOffered && <Notice title={t('off')} text={t('offText')} />}
      {isOffered && links.length === 0 && <Notice title={t('none')} text={t('noneText')} />}
      {links.length > 0 && (
        <>
          <ul className={classes.list}>
            {links.map((link) => (
              <LinkItem key={link.id} link={link} />
            ))}
          </ul>
          <p className={classes.dimmed}>{t('listed', { count: endedListedDays })}</p>
        </>
      )}
    </>
  );
};

interface SharedLinksProps {
  readonly patientId: string;
  readonly onClose: () => void;
}

/** The links by which images of a patient are shared. Each can be ended. */
export const SharedLinks = ({ patientId, onClose }: SharedLinksProps) => {
  const { t } = useTranslation(['share', 'shell']);
  return (
    <Modal opened onClose={onClose} title={t('title')} size={560} closeButtonProps={{ 'aria-label': t('shell:close') }}>
      <LinkList patientId={patientId} />
    </Modal>
  );
};

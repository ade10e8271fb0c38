import { Button, Modal, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import Bowser from 'bowser';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Session } from '../../../contract/sessions.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { minuteText } from '../ui/dates.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import classes from './account.module.css';

/** Returns browser and system of a `User-Agent`; null when it names none. */
const namesOf = (device: string): { readonly browser: string; readonly system: string } | null => {
  if (device === '') return null;
  const { browser, os } = Bowser.parse(device);
  return browser.name && os.name ? { browser: browser.name, system: os.name } : null;
};

interface SessionRowProps {
  readonly session: Session;
  readonly busy: boolean;
  readonly onEnd: () => void;
}

const SessionRow = ({ session, busy, onEnd }: SessionRowProps) => {
  const { t } = useTranslation('account');
  const { device, address, program, signedInAt, lastUsedAt, isCurrent } = session;
  const names = namesOf(device);
  const name = program ?? (names ? t('device', names) : device || t('unknownDevice'));
  return (
    <li className={classes.session}>
      <div className={classes.who}>
        <p className={classes.device}>{name}</p>
        {address !== '' && <p className={classes.dimmed}>{t('address', { address })}</p>}
        {signedInAt && <p className={classes.dimmed}>{t('signedInAt', { time: minuteText(signedInAt) })}</p>}
        {lastUsedAt && !isCurrent && (
          <p className={classes.dimmed}>{t('lastUsedAt', { time: minuteText(lastUsedAt) })}</p>
        )}
      </div>
      {isCurrent ? (
        <span className={classes.dimmed}>{t('thisSession')}</span>
      ) : (
        <Button variant="default" size="compact-sm" loading={busy} aria-label={t('endOne', { name })} onClick={onEnd}>
          {t('signOut')}
        </Button>
      )}
    </li>
  );
};

/** Lists where the user is signed in, and signs out there. */
export const SessionsDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation(['account', 'shell']);
  const administration = useAdministration();
  const failureText = useFailureText();
  const client = useQueryClient();
  const list = administration.sessions();
  const { data, error } = useQuery({ ...list, staleTime: 0 });
  const [ending, setEnding] = useState<string | null>(null);
  const end = async (id: string | null) => {
    setEnding(id ?? 'all');
    try {
      await administration.endSessions(id);
      toast({ tone: 'good', text: t(id === null ? 'othersEnded' : 'sessionEnded'), close: t('shell:close') });
    } catch (failed) {
      toast({ tone: 'bad', text: failureText(failureOfQuery(failed)), close: t('shell:close') });
    } finally {
      await client.invalidateQueries({ queryKey: list.queryKey });
      setEnding(null);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('sessionsTitle')}
      size={520}
      zIndex={400}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {error && <IconAlert>{failureText(failureOfQuery(error))}</IconAlert>}
      {!data && !error && <Skeleton height={64} />}
      {data && (
        <>
          <ul className={classes.sessions} aria-label={t('sessionsTitle')}>
            {data.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                busy={ending === session.id}
                onEnd={() => void end(session.id)}
              />
            ))}
          </ul>
          {data.length > 1 && (
            <div className={classes.buttons}>
              <Button color="red.9" loading={ending === 'all'} onClick={() => void end(null)}>
                {t('endOthers')}
              </Button>
            </div>
          )}
        </>
      )}
    </Modal>
  );
};

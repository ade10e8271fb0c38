import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mailFailure } from '../../../contract/mail.ts';
import type { resetLinkCreate } from '../../../contract/passwords.ts';
import type { ReplyOf } from '../../../contract/route.ts';
import type { Employee } from '../../../contract/users.ts';
import { useAppContext } from '../app/app-context.tsx';
import { rejectedFields, useAppQueries } from '../app/queries-context.tsx';
import { useMomentText } from '../language/file-error-text.ts';
import { defaultLanguage, languageOf } from '../language/languages.ts';
import { useMailFailureText } from '../language/mail-failure-text.ts';
import { CopyField } from '../ui/copy-field.tsx';
import { toast } from '../ui/toast.ts';
import { UserQuestion } from './user-question.tsx';
import classes from './users.module.css';

type Reply = ReplyOf<typeof resetLinkCreate>;
export type LinkToCopy = Extract<Reply, { delivery: 'copy' }>;

const titles = {
  mailed: { reset: 'resetTitle', invitation: 'inviteTitle' },
  copied: { reset: 'linkTitle', invitation: 'inviteLinkTitle' },
} as const;
const texts = {
  mailed: { reset: 'resetText', invitation: 'inviteText' },
  copied: { reset: 'linkText', invitation: 'inviteLinkText' },
} as const;

interface ResetLinkDialogProps {
  readonly user: Employee;
  readonly onClose: () => void;
}

interface LinkDialogProps {
  readonly name: string;
  readonly link: LinkToCopy;
  readonly onClose: () => void;
}

/** Shows a link to hand over. A click outside does not close it, because the link cannot be shown again. */
export const LinkDialog = ({ name, link, onClose }: LinkDialogProps) => {
  const { t } = useTranslation(['users', 'shell']);
  const until = useMomentText()(link.expiresAt);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('linkReady', { name })}
      size={560}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <CopyField
        label={t('linkLabel')}
        description={t('linkHelp', { until, name })}
        value={link.link}
        copy={t('copy')}
        copied={t('copied')}
      />
      <div className={classes.buttons}>
        <Button onClick={onClose}>{t('shell:close')}</Button>
      </div>
    </Modal>
  );
};

/** Gives a user a link to choose a password, the first or a new one: by e-mail, or without a mail server to copy. */
export const ResetLinkDialog = ({ user, onClose }: ResetLinkDialogProps) => {
  const { t, i18n } = useTranslation(['users', 'shell']);
  const { passwords } = useAppContext();
  const welcome = useQuery(useAppQueries().welcome());
  const mailFailureText = useMailFailureText();
  const [link, setLink] = useState<LinkToCopy | null>(null);
  const name = `${user.firstName} ${user.lastName}`;
  const { id, email } = user;
  if (link) return <LinkDialog name={name} link={link} onClose={onClose} />;
  if (welcome.isPending) return null;
  const isMailed = welcome.data?.hasMailServer ?? true;

  const create = async () => {
    const reply = await passwords.createLink(id, languageOf(i18n.language) ?? defaultLanguage);
    if (reply.delivery === 'copy') return setLink(reply);
    toast({ tone: 'good', text: t('resetSent', { email }), close: t('shell:close') });
    onClose();
  };
  const detailOf = (error: unknown): string => {
    const reason = mailFailure.safeParse(rejectedFields(error)[0]?.vars?.reason);
    return reason.success ? `${mailFailureText(reason.data)} ${t('resetNotSent')}` : '';
  };
  return (
    <UserQuestion
      key={String(isMailed)}
      title={t(titles[isMailed ? 'mailed' : 'copied'][user.hasPassword ? 'reset' : 'invitation'])}
      text={t(texts[isMailed ? 'mailed' : 'copied'][user.hasPassword ? 'reset' : 'invitation'], { name, email })}
      yes={t(isMailed ? 'resetSend' : 'linkCreate')}
      harms={false}
      {...(isMailed ? { waiting: t('resetWaiting') } : {})}
      detailOf={detailOf}
      onClose={onClose}
      onYes={create}
    />
  );
};

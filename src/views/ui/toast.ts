import { notifications } from '@mantine/notifications';

interface Toast {
  readonly tone: 'good' | 'plain' | 'bad';
  readonly text: string;
  /** Label of the close button. */
  readonly close: string;
}

const colors = { good: 'teal', plain: 'gray', bad: 'red' } as const;

/** Shows a toast at the bottom left for 8 seconds; the same text is not shown twice. */
export const toast = ({ tone, text, close }: Toast): void => {
  notifications.show({
    id: text,
    message: text,
    style: { whiteSpace: 'pre-line' },
    color: colors[tone],
    withCloseButton: true,
    closeButtonProps: { 'aria-label': close },
  });
};

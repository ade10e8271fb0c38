import { type Ref, useImperativeHandle, useRef } from 'react';
import { type FilesRead, filesOfDialog } from './dropped-files.ts';
import { fileAccept } from './file-accept.ts';

export interface FileInputHandle {
  readonly chooseFiles: () => void;
  readonly chooseFolder: () => void;
}

/** The system's own dialogs for files and for a folder; nothing of it is seen. */
export const FileInput = ({
  ref,
  name = 'import',
  onFiles,
}: {
  ref: Ref<FileInputHandle>;
  /** Tells the inputs of a page apart. */
  name?: string;
  onFiles: (files: FilesRead) => void;
}) => {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => ({
    chooseFiles: () => files.current?.click(),
    chooseFolder: () => folder.current?.click(),
  }));
  const take = (event: React.ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(event.currentTarget.files ?? [])];
    // The same files may be chosen again later.
    event.currentTarget.value = '';
    onFiles(filesOfDialog(chosen));
  };
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept={fileAccept}
        onChange={take}
        data-testid={`${name}-files`}
      />
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        onChange={take}
        data-testid={`${name}-folder`}
        {...{ webkitdirectory: '' }}
      />
    </>
  );
};

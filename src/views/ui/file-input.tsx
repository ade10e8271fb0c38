import { type Ref, useImperativeHandle, useRef } from 'react';
import { allowedExtensions } from '../../../contract/imports.ts';
import { type FilesRead, filesOfDialog } from './dropped-files.ts';

/** File types offered first. Files without an extension (many DICOM exports) need "all files" or a folder. */
const fileAccept = [...allowedExtensions.map((extension) => `.${extension}`), 'application/dicom'].join(',');

export interface FileInputHandle {
  readonly chooseFiles: () => void;
  readonly chooseFolder: () => void;
}

/** Hidden inputs that open the system's file and folder dialogs. */
export const FileInput = ({
  ref,
  name = 'import',
  onFiles,
}: {
  ref: Ref<FileInputHandle>;
  /** Distinguishes the inputs of a page. */
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
    // Allow choosing the same files again.
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

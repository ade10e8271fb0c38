import {
  Container,
  GlProgram,
  type Matrix,
  Mesh,
  type MeshGeometry,
  Shader,
  type TextureSource,
  type UniformGroup,
} from 'pixi.js';
import { variantName, type WindowVariant, windowSources } from '../shaders/window/variants.ts';
import type { TableTextures } from './tables.ts';

interface PassPiece {
  readonly source: TextureSource;
  readonly geometry: MeshGeometry;
  readonly groups: Readonly<Record<string, UniformGroup>>;
}

/** Meshes drawn by one program, one for each texture. Owns meshes and shaders, not what they are made of. */
export interface Pass {
  readonly container: Container;
  /** Draws with this variant and these tables from now on; free of cost when they are those of before. */
  readonly dress: (variant: WindowVariant, tables: TableTextures) => void;
  /** Lets go of all textures until it is dressed again. */
  readonly undress: () => void;
  readonly lay: (matrix: Matrix) => void;
  readonly dispose: () => void;
}

const programOf = (variant: WindowVariant) =>
  GlProgram.from({ ...windowSources(variant), name: variantName(variant), preferredFragmentPrecision: 'highp' });

export const createPass = (pieces: readonly PassPiece[]): Pass => {
  const container = new Container();
  let meshes: readonly Mesh<MeshGeometry, Shader>[] = [];
  let dressed = '';
  let dressedTables: TableTextures | null = null;

  const undress = () => {
    for (const mesh of meshes) {
      mesh.shader?.destroy();
      mesh.destroy();
    }
    meshes = [];
    dressed = '';
    dressedTables = null;
  };

  const meshOf = ({ source, geometry, groups }: PassPiece, glProgram: GlProgram, tables: TableTextures) => {
    const shader = new Shader({ glProgram, resources: { uImage: source, ...groups, ...tables } });
    const mesh = new Mesh({ geometry, shader });
    // All that is drawn is opaque; and numbers must not be mixed with those below them.
    mesh.state.blend = false;
    container.addChild(mesh);
    return mesh;
  };

  return {
    container,
    dress: (variant, tables) => {
      const name = variantName(variant);
      if (name === dressed && tables === dressedTables) return;
      undress();
      const program = programOf(variant);
      meshes = pieces.map((piece) => meshOf(piece, program, tables));
      dressed = name;
      dressedTables = tables;
    },
    undress,
    lay: (matrix) => {
      for (const mesh of meshes) mesh.setFromMatrix(matrix);
    },
    dispose: () => {
      undress();
      container.destroy();
    },
  };
};

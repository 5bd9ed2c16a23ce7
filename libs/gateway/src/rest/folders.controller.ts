import { Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request } from 'express';
import { FRONT, type Front, identify } from '../front.js';
import type { Answer } from '../http/locals.js';
import { ADD_FOLDER, LIST_FOLDERS, REMOVE_FOLDER, SCAN_FOLDER } from './folder-operations.js';
import { AddFolderBody, RemoveFolderQuery } from './folder-shapes.js';
import { parseInput } from './parse-input.js';
import { readJson } from './read-json.js';
import { notRefused, run } from './run.js';
import { answerOnce } from './write-once.js';

/** Folders of the server's machine; what is asked of one goes on after the answer. */
@Controller('api/v1/folders')
export class FoldersController {
  constructor(@Inject(FRONT) private readonly front: Front) {}

  @Get()
  async list(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const { data } = await run(this.front, req, res, LIST_FOLDERS, {});
    res.json({ folders: data.folders });
  }

  @Post()
  async add(@Req() req: Request, @Res() res: Answer): Promise<void> {
    await readJson(this.front.config.maxJsonBytes, req, res);
    await this.change(req, res, ADD_FOLDER, { input: parseInput(AddFolderBody, req.body) });
  }

  @Post(':id/scan')
  async scan(@Req() req: Request, @Res() res: Answer): Promise<void> {
    await this.change(req, res, SCAN_FOLDER, { id: String(req.params.id) });
  }

  @Delete(':id')
  async remove(@Req() req: Request, @Res() res: Answer): Promise<void> {
    const { keepDocuments } = parseInput(RemoveFolderQuery, req.query);
    await this.change(req, res, REMOVE_FOLDER, {
      id: String(req.params.id),
      keepDocuments: keepDocuments === 'true',
    });
  }

  private async change(req: Request, res: Answer, mutation: string, variables: Record<string, unknown>): Promise<void> {
    const identity = await identify(this.front, req, res);
    await answerOnce(this.front, identity, req, res, 202, async () => {
      const { data } = await run(this.front, req, res, mutation, variables);
      const { __typename: _, ...folder } = notRefused(data.folder);
      return folder;
    });
  }
}

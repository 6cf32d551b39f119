import type { KnownServer } from './known-server.ts'

export const DOCUMENTS: readonly KnownServer[] = [
  {
    // Finds what others have shared, too.
    name: '@modelcontextprotocol/server-gdrive',
    version: '2025.1.14',
    source: 'listed by the package',
    tools: {
      search: ['reads', 'brings-in'],
    },
  },
  {
    name: 'figma-developer-mcp',
    version: '0.13.2',
    source: 'listed by the package',
    tools: {
      get_figma_data: ['reads', 'brings-in'],
      download_figma_images: ['reads', 'brings-in', 'changes'],
    },
  },
  {
    // Finds what others have shared, and writes in it.
    name: '@isaacphi/mcp-gdrive',
    version: '0.2.0',
    source: 'listed by the package',
    tools: {
      gdrive_search: ['reads', 'brings-in'],
      gdrive_read_file: ['reads', 'brings-in'],
      gsheets_read: ['reads', 'brings-in'],
      gsheets_update_cell: ['changes', 'sends'],
    },
  },
  {
    name: '@modelcontextprotocol/server-aws-kb-retrieval',
    version: '0.6.2',
    source: 'listed by the package',
    tools: {
      retrieve_from_aws_kb: ['reads', 'brings-in'],
    },
  },
  {
    // Writing in a shared sheet tells others. A batch can delete whole sheets.
    name: 'pypi:mcp-google-sheets',
    source: 'its documentation',
    tools: {
      add_columns: ['changes', 'sends'],
      add_rows: ['changes', 'sends'],
      batch_update: ['changes', 'destroys', 'sends'],
      batch_update_cells: ['changes', 'sends'],
      copy_sheet: ['changes', 'sends'],
      create_sheet: ['changes', 'sends'],
      create_spreadsheet: ['changes', 'sends'],
      find_in_spreadsheet: ['reads', 'brings-in'],
      get_multiple_sheet_data: ['reads', 'brings-in'],
      get_multiple_spreadsheet_summary: ['reads', 'brings-in'],
      get_sheet_data: ['reads', 'brings-in'],
      get_sheet_formulas: ['reads', 'brings-in'],
      list_folders: ['reads', 'brings-in'],
      list_sheets: ['reads'],
      list_spreadsheets: ['reads', 'brings-in'],
      rename_sheet: ['changes', 'sends'],
      search_spreadsheets: ['reads', 'brings-in'],
      share_spreadsheet: ['changes', 'sends'],
      update_cells: ['changes', 'sends'],
    },
  },
]

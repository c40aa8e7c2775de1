// Checks a certificate of claimeven as check_certificate.py does, for files of millions of positions:
//
//   g++ -O2 -std=c++20 check_certificate.cpp -o check && ./check FILE
//
// It shares no code with claimeven. The file says which positions the agent meets and what it plays there;
// this plays every reply and counts how the games end. The checksum at the end is left to `sha256sum`.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

using Key = std::uint64_t;

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

// A board as people see it: the stones of every column from the bottom, 1 of the side to move, 2 of the
// other.
struct Game {
  int columns, rows, connect;
  int heights[64];
  char stones[64][64];

  // A column of a key is a number: as many ones as there are stones, plus a one for each of the mover.
  bool read(Key key) {
    for (int column = 0; column < columns; ++column) {
      const Key part = key >> (column * (rows + 1)) & ((Key{1} << (rows + 1)) - 1);
      int height = 0;
      while ((Key{1} << (height + 1)) - 1 <= part) ++height;
      const Key own = part - ((Key{1} << height) - 1);
      if (height > rows) return false;
      heights[column] = height;
      for (int row = 0; row < rows; ++row) {
        stones[column][row] = static_cast<char>(row >= height ? 0 : own >> row & 1 ? 1 : 2);
      }
    }
    return true;
  }

  // The key of the other side's turn after a stone of the mover in that column.
  Key after(int played, bool is_mirrored) const {
    Key key = 0;
    for (int column = 0; column < columns; ++column) {
      Key part = (Key{1} << (heights[column] + (column == played))) - 1;
      for (int row = 0; row < heights[column]; ++row) part += Key{stones[column][row] == 2} << row;
      key |= part << ((is_mirrored ? columns - 1 - column : column) * (rows + 1));
    }
    return key;
  }

  int run(int column, int row, int right, int up) const {
    int length = 0;
    for (;;) {
      column += right, row += up;
      if (column < 0 || column >= columns || row < 0 || row >= rows || stones[column][row] != 1)
        return length;
      ++length;
    }
  }

  bool wins(int column) const {
    const int row = heights[column];
    for (const auto& [right, up] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
      if (1 + run(column, row, right, up) + run(column, row, -right, -up) >= connect) return true;
    }
    return false;
  }
};

// What follows the name in the line of JSON.
const char* said(const std::string& about, const char* name) {
  const std::string label = std::string("\"") + name + "\": ";
  const std::size_t at = about.rfind(label);
  if (at == std::string::npos) fail(std::string("the file does not say: ") + name);
  return about.c_str() + at + label.size();
}

// The key of the position after the moves that the file names, if it does; how many they are.
Key first_position(Game& game, const std::string& about, bool mirrors, int& plies) {
  if (about.find("\"start\": \"") == std::string::npos) return 0;
  Key key = 0, image = 0;
  for (const char* digit = said(about, "start") + 1; *digit && *digit != '"'; ++digit, ++plies) {
    const char move[] = {*digit, 0};
    const int column = static_cast<int>(std::strtol(move, nullptr, 36)) - 1;
    game.read(key);
    if (column < 0 || column >= game.columns || game.heights[column] >= game.rows || game.wins(column)) {
      fail("the file starts with moves that cannot be played, or that end the game");
    }
    key = game.after(column, false), image = game.after(column, true);
  }
  return mirrors ? std::min(key, image) : key;
}

int main(int count, char** words) {
  if (count != 2) fail("which file?");
  std::ifstream file(words[1], std::ios::binary);
  std::string first, about;
  if (!std::getline(file, first) || first != "claimeven-certificate 1" || !std::getline(file, about)) {
    fail("this is no certificate");
  }
  const std::string data{std::istreambuf_iterator<char>(file), {}};
  Game game{};
  if (std::sscanf(said(about, "board"), "\"%dx%dx%d\"", &game.columns, &game.rows, &game.connect) != 3 ||
      game.columns * (game.rows + 1) > 64) {
    fail("such a board is not possible");
  }
  const int side = std::atoi(said(about, "side"));
  const bool mirrors = std::strncmp(said(about, "mirrors"), "true", 4) == 0;
  const char* levels = said(about, "levels") + 1;
  long long met = 0, won = 0, drawn = 0, lost = 0;
  std::size_t at = 0;
  int start = 0;
  std::vector<Key> waiting{first_position(game, about, mirrors, start)}, next;
  for (int ply = start; !waiting.empty(); ++ply, waiting.swap(next)) {
    next.clear();
    const bool is_own = ply % 2 == side;
    const char* columns = nullptr;
    if (is_own) {
      char* end = nullptr;
      levels = std::strchr(levels, '[');
      if (!levels || std::strtol(levels + 1, &end, 10) != ply) fail("a ply is missing");
      const std::size_t given = std::strtoull(end + 1, &end, 10);
      levels = end;
      if (given != waiting.size()) fail("ply " + std::to_string(ply) + " has other positions");
      if (data.size() < at + 9 * given || std::memcmp(&data[at], waiting.data(), 8 * given) != 0) {
        fail("ply " + std::to_string(ply) + " has other positions");
      }
      columns = &data[at + 8 * given];
      at += 9 * given;
      met += static_cast<long long>(given);
    }
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (!game.read(waiting[i])) fail("a position is none");
      for (int column = 0; column < game.columns; ++column) {
        if (is_own && column != columns[i]) continue;
        if (game.heights[column] >= game.rows) {
          if (is_own) fail("a column is full");
          continue;
        }
        if (game.wins(column)) {
          ++(is_own ? won : lost);
        } else if (ply + 1 == game.columns * game.rows) {
          ++drawn;
        } else {
          const Key key = game.after(column, false);
          next.push_back(mirrors ? std::min(key, game.after(column, true)) : key);
        }
      }
      if (is_own && (columns[i] < 0 || columns[i] >= game.columns)) fail("a column is not on the board");
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
  }
  if (std::strchr(levels, '[') || data.size() != at + 32) fail("there is more than the games need");
  if (met != std::atoll(said(about, "met")) || won != std::atoll(said(about, "won")) ||
      drawn != std::atoll(said(about, "drawn")) || lost != std::atoll(said(about, "lost"))) {
    fail("the file counts otherwise");
  }
  std::printf("%lld positions: %lld won, %lld drawn, %lld lost%s\n", met, won, drawn, lost,
              lost ? "" : ", never loses");
}

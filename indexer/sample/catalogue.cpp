// SPDX-License-Identifier: Apache-2.0
#include "indexer/sample/catalogue.h"

namespace souk::sample {
namespace {

using std::string_view;

// Values that several kinds share.
constexpr Text kColors[] = {{"чёрный", "black"},     {"белый", "white"},   {"серый", "grey"},
                            {"синий", "blue"},       {"красный", "red"},   {"зелёный", "green"},
                            {"жёлтый", "yellow"},    {"бежевый", "beige"}, {"коричневый", "brown"},
                            {"фиолетовый", "violet"}};
constexpr Text kMemory[] = {{"64", "64"}, {"128", "128"}, {"256", "256"}, {"512", "512"}};
constexpr Text kRam[] = {{"4", "4"}, {"8", "8"}, {"16", "16"}, {"32", "32"}};
constexpr Text kPhoneScreens[] = {{"5.8", "5.8"}, {"6.1", "6.1"}, {"6.5", "6.5"}, {"6.7", "6.7"}};
constexpr Text kLaptopScreens[] = {{"13.3", "13.3"}, {"14", "14"}, {"15.6", "15.6"}, {"17.3", "17.3"}};
constexpr Text kTvScreens[] = {{"32", "32"}, {"43", "43"}, {"50", "50"}, {"55", "55"}, {"65", "65"}, {"75", "75"}};
constexpr Text kSmallPower[] = {{"5", "5"}, {"7", "7"}, {"9", "9"}, {"12", "12"}, {"18", "18"}, {"40", "40"}};
constexpr Text kBigPower[] = {{"600", "600"},   {"850", "850"},   {"1200", "1200"},
                              {"1500", "1500"}, {"1800", "1800"}, {"2200", "2200"}};
constexpr Text kLightWeights[] = {{"90", "90"},   {"150", "150"}, {"180", "180"}, {"250", "250"},
                                  {"320", "320"}, {"400", "400"}, {"550", "550"}};
constexpr Text kHeavyWeights[] = {
    {"800", "800"}, {"1200", "1200"}, {"2500", "2500"}, {"4000", "4000"}, {"9000", "9000"}};
constexpr Text kVolumes[] = {{"0.5", "0.5"}, {"1", "1"}, {"1.5", "1.5"}, {"1.7", "1.7"}, {"2.5", "2.5"}, {"5", "5"}};
constexpr Text kHardMaterials[] = {{"сталь", "steel"}, {"стекло", "glass"},    {"керамика", "ceramics"},
                                   {"дерево", "wood"}, {"пластик", "plastic"}, {"алюминий", "aluminium"}};
constexpr Text kSoftMaterials[] = {{"хлопок", "cotton"},
                                   {"лён", "linen"},
                                   {"шерсть", "wool"},
                                   {"полиэстер", "polyester"},
                                   {"микрофибра", "microfibre"}};
constexpr Text kToyMaterials[] = {{"плюш", "plush"}, {"искусственный мех", "faux fur"}, {"хлопок", "cotton"}};
constexpr Text kSizes[] = {{"XS", "XS"}, {"S", "S"}, {"M", "M"}, {"L", "L"}, {"XL", "XL"}, {"XXL", "XXL"}};
constexpr Text kShoeSizes[] = {{"37", "37"}, {"38", "38"}, {"39", "39"}, {"40", "40"},
                               {"41", "41"}, {"42", "42"}, {"43", "43"}, {"44", "44"}};
constexpr Text kHeights[] = {{"15", "15"}, {"20", "20"}, {"25", "25"}, {"30", "30"}, {"45", "45"}, {"60", "60"}};
constexpr Text kWidths[] = {{"40", "40"}, {"60", "60"}, {"80", "80"}, {"120", "120"}, {"160", "160"}};
constexpr Text kAges[] = {{"3", "3"}, {"5", "5"}, {"7", "7"}, {"10", "10"}, {"14", "14"}};
constexpr Text kPieces[] = {{"48", "48"},   {"96", "96"},   {"150", "150"},
                            {"320", "320"}, {"640", "640"}, {"1200", "1200"}};
constexpr Text kPlayers[] = {{"2", "2"}, {"4", "4"}, {"6", "6"}, {"8", "8"}};
constexpr Text kConnections[] = {{"проводное", "wired"}, {"Bluetooth", "Bluetooth"}, {"радиоканал", "2.4 GHz radio"}};
constexpr Text kLayouts[] = {{"русская", "Russian"}, {"английская", "English"}};
constexpr Text kPanels[] = {{"IPS", "IPS"}, {"VA", "VA"}, {"OLED", "OLED"}, {"QLED", "QLED"}};
constexpr Text kSockets[] = {{"E27", "E27"}, {"E14", "E14"}, {"GU10", "GU10"}, {"встроенный LED", "built-in LED"}};
constexpr Text kAuthors[] = {
    {"Анна Ветрова", "Anna Vetrova"}, {"Пётр Лисицын", "Pyotr Lisitsyn"}, {"Ольга Заречная", "Olga Zarechnaya"},
    {"Иван Морозко", "Ivan Morozko"}, {"Мария Полынь", "Maria Polyn"},    {"Глеб Соснов", "Gleb Sosnov"},
    {"Джон Уэйр", "John Weyr"},       {"Элис Морроу", "Alice Morrow"}};
constexpr Text kCovers[] = {{"твёрдый", "hardcover"}, {"мягкий", "paperback"}};
constexpr Text kPages[] = {{"96", "96"},   {"160", "160"}, {"240", "240"},
                           {"320", "320"}, {"480", "480"}, {"640", "640"}};
constexpr Text kTastes[] = {
    {"курица", "chicken"}, {"индейка", "turkey"}, {"лосось", "salmon"}, {"говядина", "beef"}, {"ягнёнок", "lamb"}};
constexpr Text kAnimals[] = {{"кошки", "cats"}, {"собаки", "dogs"}, {"грызуны", "rodents"}};
constexpr Text kVoltages[] = {{"12", "12"}, {"18", "18"}, {"20", "20"}, {"220", "220"}};
constexpr Text kWheels[] = {{"20", "20"}, {"24", "24"}, {"26", "26"}, {"27.5", "27.5"}, {"29", "29"}};
constexpr Text kPersons[] = {{"1", "1"}, {"2", "2"}, {"3", "3"}, {"4", "4"}, {"6", "6"}};

constexpr Text kNoUnit{"", ""};
constexpr Text kGigabytes{"ГБ", "GB"}, kInches{"дюймов", "inch"}, kWatts{"Вт", "W"}, kGrams{"г", "g"};
constexpr Text kLitres{"л", "l"}, kCentimetres{"см", "cm"}, kYears{"лет", "years"}, kVolts{"В", "V"};
constexpr ParamSpec kColor{{"цвет", "color"}, kNoUnit, kColors, true};
constexpr ParamSpec kPlainColor{{"цвет", "color"}, kNoUnit, kColors};
constexpr ParamSpec kLightWeight{{"вес", "weight"}, kGrams, kLightWeights};
constexpr ParamSpec kHeavyWeight{{"вес", "weight"}, kGrams, kHeavyWeights};
constexpr ParamSpec kHardMaterial{{"материал", "material"}, kNoUnit, kHardMaterials};
constexpr ParamSpec kSoftMaterial{{"материал", "material"}, kNoUnit, kSoftMaterials};
constexpr ParamSpec kPower{{"мощность", "power"}, kWatts, kBigPower, true};
constexpr ParamSpec kVolume{{"объём", "volume"}, kLitres, kVolumes, true};
constexpr ParamSpec kSize{{"размер", "size"}, kNoUnit, kSizes};
constexpr ParamSpec kAge{{"возраст от", "age from"}, kYears, kAges};

constexpr ParamSpec kPhoneParams[] = {{{"объём памяти", "storage"}, kGigabytes, kMemory, true},
                                      kColor,
                                      {{"диагональ", "screen size"}, kInches, kPhoneScreens},
                                      kLightWeight};
constexpr ParamSpec kLaptopParams[] = {{{"диагональ", "screen size"}, kInches, kLaptopScreens, true},
                                       {{"оперативная память", "memory"}, kGigabytes, kRam, true},
                                       {{"объём памяти", "storage"}, kGigabytes, kMemory},
                                       kPlainColor,
                                       kHeavyWeight};
constexpr ParamSpec kTvParams[] = {{{"диагональ", "screen size"}, kInches, kTvScreens, true},
                                   {{"матрица", "panel"}, kNoUnit, kPanels},
                                   kPlainColor,
                                   kHeavyWeight};
constexpr ParamSpec kHeadphoneParams[] = {kColor, {{"подключение", "connection"}, kNoUnit, kConnections}, kLightWeight};
constexpr ParamSpec kKeyboardParams[] = {
    kColor, {{"подключение", "connection"}, kNoUnit, kConnections}, {{"раскладка", "layout"}, kNoUnit, kLayouts}};
constexpr ParamSpec kDishParams[] = {kVolume, kHardMaterial, kPlainColor, kHeavyWeight};
constexpr ParamSpec kLampParams[] = {{{"мощность", "power"}, kWatts, kSmallPower, true},
                                     kPlainColor,
                                     {{"цоколь", "socket"}, kNoUnit, kSockets},
                                     kHardMaterial};
constexpr ParamSpec kFurnitureParams[] = {{{"ширина", "width"}, kCentimetres, kWidths, true}, kColor, kHardMaterial};
constexpr ParamSpec kTextileParams[] = {
    kColor, kSoftMaterial, {{"ширина", "width"}, kCentimetres, kWidths}, kLightWeight};
constexpr ParamSpec kApplianceParams[] = {kPower, kPlainColor, kHeavyWeight};
constexpr ParamSpec kKettleParams[] = {kVolume, kPower, kPlainColor, kHardMaterial};
constexpr ParamSpec kPlushParams[] = {{{"высота", "height"}, kCentimetres, kHeights, true},
                                      kPlainColor,
                                      {{"материал", "material"}, kNoUnit, kToyMaterials},
                                      kAge,
                                      kLightWeight};
constexpr ParamSpec kBricksParams[] = {{{"деталей", "pieces"}, kNoUnit, kPieces}, kAge, kLightWeight};
constexpr ParamSpec kGameParams[] = {{{"игроков", "players"}, kNoUnit, kPlayers}, kAge, kLightWeight};
constexpr ParamSpec kDollParams[] = {{{"высота", "height"}, kCentimetres, kHeights, true}, kAge, kPlainColor};
constexpr ParamSpec kBookParams[] = {{{"автор", "author"}, kNoUnit, kAuthors, true},
                                     {{"переплёт", "binding"}, kNoUnit, kCovers},
                                     {{"страниц", "pages"}, kNoUnit, kPages},
                                     kLightWeight};
constexpr ParamSpec kClothesParams[] = {kSize, kColor, kSoftMaterial, kLightWeight};
constexpr ParamSpec kShoesParams[] = {{{"размер", "size"}, {"RU", "EU"}, kShoeSizes}, kColor, kHeavyWeight};
constexpr ParamSpec kBagParams[] = {{{"объём", "volume"}, kLitres, kWheels, true}, kColor, kSoftMaterial};
constexpr ParamSpec kFoodParams[] = {{{"вес", "weight"}, kGrams, kHeavyWeights, true},
                                     {{"вкус", "flavour"}, kNoUnit, kTastes, true},
                                     {{"для кого", "for"}, kNoUnit, kAnimals}};
constexpr ParamSpec kPetParams[] = {kColor, {{"для кого", "for"}, kNoUnit, kAnimals}, kSoftMaterial, kLightWeight};
constexpr ParamSpec kDrillParams[] = {
    {{"напряжение", "voltage"}, kVolts, kVoltages, true}, {{"мощность", "power"}, kWatts, kBigPower}, kHeavyWeight};
constexpr ParamSpec kHandToolParams[] = {kHardMaterial, kPlainColor, kLightWeight};
constexpr ParamSpec kBikeParams[] = {{{"диаметр колёс", "wheel size"}, kInches, kWheels, true}, kColor, kHardMaterial};
constexpr ParamSpec kCampParams[] = {{{"мест", "persons"}, kNoUnit, kPersons}, kColor, kHeavyWeight};
constexpr ParamSpec kFitnessParams[] = {{{"вес", "weight"}, kGrams, kHeavyWeights, true}, kColor, kHardMaterial};

constexpr Text kPhones[] = {{"Смартфон", "smartphone"}, {"Мобильный телефон", "mobile phone"}};
constexpr Text kLaptops[] = {{"Ноутбук", "laptop"}, {"Ультрабук", "ultrabook"}};
constexpr Text kTvs[] = {{"Телевизор", "TV"}, {"Умный телевизор", "smart TV"}};
constexpr Text kHeadphones[] = {
    {"Наушники", "headphones"}, {"Беспроводные наушники", "wireless headphones"}, {"Гарнитура", "headset"}};
constexpr Text kKeyboards[] = {{"Клавиатура", "keyboard"},
                               {"Мышь", "mouse"},
                               {"Беспроводная мышь", "wireless mouse"},
                               {"Игровая мышь", "gaming mouse"}};
constexpr Text kDishes[] = {{"Кастрюля", "saucepan"},
                            {"Сковорода", "frying pan"},
                            {"Салатник", "salad bowl"},
                            {"Кружка", "mug"},
                            {"Форма для выпечки", "baking dish"}};
constexpr Text kLamps[] = {
    {"Настольная лампа", "desk lamp"}, {"Торшер", "floor lamp"}, {"Люстра", "chandelier"}, {"Ночник", "night light"}};
constexpr Text kFurniture[] = {{"Стол", "table"},
                               {"Стул", "chair"},
                               {"Стеллаж", "shelf unit"},
                               {"Тумба", "cabinet"},
                               {"Комод", "chest of drawers"}};
constexpr Text kTextiles[] = {{"Плед", "blanket"},
                              {"Полотенце", "towel"},
                              {"Комплект постельного белья", "bed linen set"},
                              {"Шторы", "curtains"}};
constexpr Text kVacuums[] = {{"Пылесос", "vacuum cleaner"}, {"Робот-пылесос", "robot vacuum cleaner"}};
constexpr Text kKettles[] = {{"Чайник", "kettle"}, {"Электрический чайник", "electric kettle"}};
constexpr Text kCoffee[] = {
    {"Кофеварка", "coffee maker"}, {"Кофемашина", "espresso machine"}, {"Кофемолка", "coffee grinder"}};
constexpr Text kIrons[] = {{"Утюг", "iron"}, {"Отпариватель", "garment steamer"}};
constexpr Text kPlush[] = {{"Мягкая игрушка", "soft toy"}, {"Плюшевая игрушка", "plush toy"}};
constexpr Text kBricks[] = {{"Конструктор", "building set"}, {"Деревянный конструктор", "wooden building set"}};
constexpr Text kGames[] = {{"Настольная игра", "board game"}, {"Карточная игра", "card game"}};
constexpr Text kDolls[] = {{"Кукла", "doll"}, {"Кукла с аксессуарами", "doll with accessories"}};
constexpr Text kNovels[] = {{"Роман", "novel"}, {"Сборник рассказов", "short stories"}, {"Повесть", "story"}};
constexpr Text kChildBooks[] = {
    {"Книга сказок", "book of fairy tales"}, {"Книга с картинками", "picture book"}, {"Азбука", "alphabet book"}};
constexpr Text kShirts[] = {{"Футболка", "T-shirt"}, {"Рубашка-поло", "polo shirt"}, {"Лонгслив", "long-sleeve shirt"}};
constexpr Text kJackets[] = {{"Куртка", "jacket"}, {"Ветровка", "windbreaker"}, {"Пуховик", "down jacket"}};
constexpr Text kShoes[] = {{"Кроссовки", "sneakers"}, {"Ботинки", "boots"}, {"Кеды", "plimsolls"}};
constexpr Text kBags[] = {
    {"Рюкзак", "backpack"}, {"Городской рюкзак", "city backpack"}, {"Спортивная сумка", "sports bag"}};
constexpr Text kPetFood[] = {{"Сухой корм", "dry food"}, {"Влажный корм", "wet food"}, {"Лакомство", "treats"}};
constexpr Text kPetToys[] = {{"Игрушка-мячик", "ball"},
                             {"Удочка-дразнилка", "teaser wand"},
                             {"Игрушка с пищалкой", "squeaky toy"},
                             {"Мышка с мятой", "catnip mouse"}};
constexpr Text kPetBeds[] = {{"Лежанка", "pet bed"}, {"Домик", "pet house"}, {"Когтеточка", "scratching post"}};
constexpr Text kDrills[] = {{"Дрель", "drill"}, {"Шуруповёрт", "screwdriver"}, {"Перфоратор", "rotary hammer"}};
constexpr Text kHandTools[] = {{"Набор отвёрток", "screwdriver set"},
                               {"Молоток", "hammer"},
                               {"Плоскогубцы", "pliers"},
                               {"Рулетка", "tape measure"},
                               {"Пила", "saw"}};
constexpr Text kBikes[] = {
    {"Велосипед", "bicycle"}, {"Горный велосипед", "mountain bike"}, {"Детский велосипед", "kids bike"}};
constexpr Text kCamping[] = {
    {"Палатка", "tent"}, {"Спальный мешок", "sleeping bag"}, {"Термос", "vacuum flask"}, {"Котелок", "camping pot"}};
constexpr Text kFitness[] = {
    {"Гантель", "dumbbell"}, {"Гиря", "kettlebell"}, {"Коврик для йоги", "yoga mat"}, {"Скакалка", "skipping rope"}};

constexpr Text kTechSeries[] = {{"Luma", "Luma"}, {"Pulse", "Pulse"}, {"Vector", "Vector"}, {"Aero", "Aero"},
                                {"Nova", "Nova"}, {"Terra", "Terra"}, {"Orbit", "Orbit"},   {"Fjord", "Fjord"},
                                {"Zen", "Zen"},   {"Prime", "Prime"}, {"Quad", "Quad"},     {"Spark", "Spark"}};
constexpr Text kHomeSeries[] = {{"«Северный ветер»", "North Wind"},
                                {"«Утро»", "Morning"},
                                {"«Дача»", "Dacha"},
                                {"«Ладога»", "Ladoga"},
                                {"«Классика»", "Classic"},
                                {"«Лофт»", "Loft"},
                                {"«Прованс»", "Provence"},
                                {"«Вереск»", "Heather"},
                                {"«Янтарь»", "Amber"},
                                {"«Туман»", "Mist"}};
constexpr Text kPlushSeries[] = {{"Медвежонок Тоша", "Tosha the bear cub"},
                                 {"Зайка Мила", "Mila the bunny"},
                                 {"Лисёнок Рыжик", "Ginger the fox cub"},
                                 {"Ёжик Пых", "Puff the hedgehog"},
                                 {"Сова Уля", "Ulya the owl"},
                                 {"Пингвин Лёва", "Lyova the penguin"},
                                 {"Щенок Бим", "Bim the puppy"},
                                 {"Котёнок Мурзик", "Murzik the kitten"},
                                 {"Дракон Искорка", "Sparkle the dragon"},
                                 {"Слон Федя", "Fedya the elephant"},
                                 {"Весёлый кот", "Merry cat"},
                                 {"Спящий кот", "Sleeping cat"}};
constexpr Text kBrickSeries[] = {{"«Космопорт»", "Spaceport"},
                                 {"«Замок рыцаря»", "Knight's castle"},
                                 {"«Пожарная часть»", "Fire station"},
                                 {"«Ферма»", "Farm"},
                                 {"«Железная дорога»", "Railway"},
                                 {"«Пиратский корабль»", "Pirate ship"},
                                 {"«Город»", "City"},
                                 {"«Роботы»", "Robots"}};
constexpr Text kGameSeries[] = {
    {"«Караван»", "Caravan"},       {"«Базар»", "Bazaar"},          {"«Тайна маяка»", "Secret of the lighthouse"},
    {"«Острова»", "Islands"},       {"«Злые коты»", "Angry cats"},  {"«Башни»", "Towers"},
    {"«Экспедиция»", "Expedition"}, {"«Кто там?»", "Who is there?"}};
constexpr Text kDollSeries[] = {{"Алиса", "Alisa"},   {"Варя", "Varya"}, {"Соня", "Sonya"},
                                {"Полина", "Polina"}, {"Эмма", "Emma"},  {"Лиза", "Liza"}};
constexpr Text kNovelSeries[] = {{"«Тихая река»", "The Quiet River"},
                                 {"«Последний трамвай»", "The Last Tram"},
                                 {"«Дом у маяка»", "The House by the Lighthouse"},
                                 {"«Северный экспресс»", "The Northern Express"},
                                 {"«Письма из ниоткуда»", "Letters from Nowhere"},
                                 {"«Соль и ветер»", "Salt and Wind"},
                                 {"«Час лисы»", "The Hour of the Fox"},
                                 {"«Зимний сад»", "The Winter Garden"},
                                 {"«Пятый океан»", "The Fifth Ocean"},
                                 {"«Стеклянный город»", "The Glass City"}};
constexpr Text kTaleSeries[] = {
    {"«Кот и месяц»", "The Cat and the Moon"},         {"«Сказки старого леса»", "Tales of the Old Forest"},
    {"«Ёжик идёт в гости»", "Hedgehog Pays a Visit"},  {"«Мой первый алфавит»", "My First Alphabet"},
    {"«Где живёт радуга»", "Where the Rainbow Lives"}, {"«Сто почему»", "A Hundred Whys"}};
constexpr Text kWearSeries[] = {{"Basic", "Basic"}, {"Urban", "Urban"},   {"Sport", "Sport"},   {"Trail", "Trail"},
                                {"Nord", "Nord"},   {"Street", "Street"}, {"Active", "Active"}, {"Comfort", "Comfort"}};
constexpr Text kPetSeries[] = {{"«Хвостик»", "Tail"}, {"«Мурлыка»", "Purr"},    {"«Верный друг»", "True Friend"},
                               {"«Лапки»", "Paws"},   {"«Премиум»", "Premium"}, {"«Активный»", "Active"}};

constexpr Kind kElectronics[] = {
    {{"Смартфоны", "Smartphones"}, kPhones, kTechSeries, true, kPhoneParams, 6000, 120000},
    {{"Ноутбуки", "Laptops"}, kLaptops, kTechSeries, true, kLaptopParams, 25000, 220000},
    {{"Телевизоры", "TVs"}, kTvs, kTechSeries, true, kTvParams, 12000, 250000},
    {{"Наушники", "Headphones"}, kHeadphones, kTechSeries, true, kHeadphoneParams, 500, 35000},
    {{"Клавиатуры и мыши", "Keyboards and mice"}, kKeyboards, kTechSeries, true, kKeyboardParams, 400, 18000}};
constexpr Kind kHome[] = {{{"Посуда", "Cookware"}, kDishes, kHomeSeries, false, kDishParams, 250, 9000},
                          {{"Освещение", "Lighting"}, kLamps, kHomeSeries, true, kLampParams, 600, 25000},
                          {{"Мебель", "Furniture"}, kFurniture, kHomeSeries, true, kFurnitureParams, 2500, 60000},
                          {{"Текстиль", "Textiles"}, kTextiles, kHomeSeries, false, kTextileParams, 400, 12000}};
constexpr Kind kAppliances[] = {
    {{"Пылесосы", "Vacuum cleaners"}, kVacuums, kTechSeries, true, kApplianceParams, 4000, 60000},
    {{"Чайники", "Kettles"}, kKettles, kTechSeries, true, kKettleParams, 900, 9000},
    {{"Кофеварки", "Coffee makers"}, kCoffee, kTechSeries, true, kApplianceParams, 1800, 80000},
    {{"Утюги", "Irons"}, kIrons, kTechSeries, true, kApplianceParams, 1500, 20000}};
constexpr Kind kToys[] = {{{"Мягкие игрушки", "Soft toys"}, kPlush, kPlushSeries, false, kPlushParams, 300, 6000},
                          {{"Конструкторы", "Building sets"}, kBricks, kBrickSeries, true, kBricksParams, 500, 15000},
                          {{"Настольные игры", "Board games"}, kGames, kGameSeries, false, kGameParams, 400, 7000},
                          {{"Куклы", "Dolls"}, kDolls, kDollSeries, false, kDollParams, 600, 8000}};
constexpr Kind kBooks[] = {
    {{"Художественная литература", "Fiction"}, kNovels, kNovelSeries, false, kBookParams, 250, 2500},
    {{"Детские книги", "Children's books"}, kChildBooks, kTaleSeries, false, kBookParams, 200, 2000}};
constexpr Kind kClothes[] = {
    {{"Футболки", "T-shirts"}, kShirts, kWearSeries, true, kClothesParams, 500, 5000},
    {{"Куртки", "Jackets"}, kJackets, kWearSeries, true, kClothesParams, 2500, 35000},
    {{"Обувь", "Shoes"}, kShoes, kWearSeries, true, kShoesParams, 1800, 20000},
    {{"Рюкзаки и сумки", "Backpacks and bags"}, kBags, kWearSeries, true, kBagParams, 1200, 15000}};
constexpr Kind kPets[] = {
    {{"Корм", "Pet food"}, kPetFood, kPetSeries, false, kFoodParams, 90, 6000},
    {{"Игрушки для животных", "Pet toys"}, kPetToys, kPetSeries, false, kPetParams, 90, 1500},
    {{"Лежанки и домики", "Beds and houses"}, kPetBeds, kPetSeries, false, kPetParams, 700, 12000}};
constexpr Kind kTools[] = {
    {{"Дрели и шуруповёрты", "Drills and drivers"}, kDrills, kTechSeries, true, kDrillParams, 2000, 40000},
    {{"Ручной инструмент", "Hand tools"}, kHandTools, kTechSeries, true, kHandToolParams, 150, 6000}};
constexpr Kind kSport[] = {{{"Велосипеды", "Bicycles"}, kBikes, kWearSeries, true, kBikeParams, 9000, 120000},
                           {{"Туризм", "Camping"}, kCamping, kWearSeries, true, kCampParams, 700, 30000},
                           {{"Фитнес", "Fitness"}, kFitness, kWearSeries, true, kFitnessParams, 300, 12000}};

constexpr string_view kElectronicsBrands[] = {
    "Norvik",  "Avelon", "Tekra",        "Zorin",     "Lumenord", "Halden",    "Orvio",  "Kestrel",   "Mirano",
    "Photona", "Ravel",  "Sorento Labs", "Ulvik",     "Quantek",  "Bravio",    "Ceptra", "Dynamo-M",  "Elektra",
    "Fonora",  "Gravis", "Heliox",       "Искра-Про", "Квант",    "Омега-Тех", "Полюс",  "Сигма Плюс"};
constexpr string_view kHomeBrands[] = {
    "Alvenna",    "Берёзка",  "Casa Verde", "Домовой", "Estella Home", "Fiorenza", "Gullholmen",   "Ивановский лён",
    "Kaleva",     "Лада Дом", "Mondello",   "Nordhus", "Олонец",       "Pavo",     "Русский очаг", "Solveig",
    "Тёплый дом", "Uyut",     "Vasterhem",  "Wilmore", "Хохлома-Арт",  "Юрьевец"};
constexpr string_view kApplianceBrands[] = {"Aspiro",  "Борей",  "Caldera",   "Dorwin",   "Evento",
                                            "Fermata", "Gelios", "Вихрь-М",   "Kalyn",    "Lavaro",
                                            "Метель",  "Nivara", "Steamwell", "Тайга-Дом"};
constexpr string_view kToyBrands[] = {
    "Котофей-Той", "Bimbolo", "Cuddly Lane",   "Добрый мишка", "Ёлочка",  "Funhaven", "Gnomik",     "Игроград",
    "Jolly Fox",   "Kubik",   "Лесная сказка", "Mimimi",       "Ogonyok", "Pipkin",   "Радуга-Той", "Tumbleweed Toys"};
constexpr string_view kBookBrands[] = {"Азбука Севера",   "Белый парус",   "Clearwater Press", "Дельта-книга",
                                       "Evergreen House", "Фонарь",        "Harbour Books",    "Индиго",
                                       "Книжный ковчег",  "Лабиринт слов", "Old Mill Press",   "Парус"};
constexpr string_view kClothesBrands[] = {
    "Arvento", "Белый волк", "Corvina",        "Dune & Co", "Elmwood",  "Forester",  "Glacier Nord", "Hagen",
    "Ива",     "Jorvik",     "Kamchatka Wear", "Лён и лес", "Marengo",  "Northline", "Ollero",       "Полярник",
    "Quill",   "Rivet",      "Снегирь",        "Tundra",    "Urbanica", "Veles",     "Westbrook",    "Яхонт"};
constexpr string_view kPetBrands[] = {"Барсик",        "Catarina", "Doggerland", "Ферма-Пет", "Good Paw",
                                      "Happy Whisker", "Кис-Кис",  "Lapka",      "Мурр",      "Natura Pet",
                                      "Пушок",         "Rex Paws", "Тузик",      "Whiskerly"};
constexpr string_view kToolBrands[] = {"Булат-М", "Craftmann", "Drillex", "Енисей",    "Hammerfell",
                                       "Кузнец",  "Mastiff",   "Прораб",  "Steelhorn", "Уралец"};
constexpr string_view kSportBrands[] = {"Altai Bike",   "Байкал",        "Cyclora",  "Длинная тропа", "Everhike",
                                        "Фитиль",       "Gorets",        "Highcamp", "Ironleaf",      "Катунь",
                                        "Lynx Outdoor", "Победит-Спорт", "Ridgeway", "Velomir"};

constexpr Text kElectronicsTalk[] = {
    {"Держит заряд целый день и не греется под нагрузкой.",
     "Lasts a full day on one charge and stays cool under load."},
    {"Быстрый процессор и яркий экран для работы и кино.", "A fast processor and a bright screen for work and films."},
    {"Обновления выходят два года.", "Updates for two years."},
    {"Настройка занимает пару минут.", "Set up in a couple of minutes."}};
constexpr Text kHomeTalk[] = {
    {"Подойдёт и для городской квартиры, и для дачи.", "At home in a flat as well as in a country house."},
    {"Легко чистится влажной тканью.", "Wipes clean with a damp cloth."},
    {"Сдержанный дизайн не надоест за годы.", "A calm design that ages well."}};
constexpr Text kApplianceTalk[] = {
    {"Тихая работа и защита от перегрева.", "Quiet, with overheating protection."},
    {"Понятное управление одной рукой.", "Simple one-hand controls."},
    {"Съёмные части можно мыть в посудомоечной машине.", "Removable parts are dishwasher safe."}};
constexpr Text kToyTalk[] = {{"Безопасные материалы, крепкие швы.", "Safe materials and strong seams."},
                             {"Отличный подарок на день рождения.", "A great birthday present."},
                             {"Развивает воображение и мелкую моторику.", "Good for imagination and small hands."}};
constexpr Text kBookTalk[] = {{"Новое издание с предисловием.", "A new edition with a foreword."},
                              {"Плотная бумага, крупный шрифт.", "Heavy paper and large print."},
                              {"История, от которой трудно оторваться.", "A story that is hard to put down."}};
constexpr Text kClothesTalk[] = {{"Держит форму после стирки.", "Keeps its shape after washing."},
                                 {"Свободный крой не стесняет движений.", "A loose cut for easy movement."},
                                 {"Подойдёт для прогулок в любую погоду.", "For walks in any weather."}};
constexpr Text kPetTalk[] = {{"Питомец будет доволен.", "Your pet will be pleased."},
                             {"Проверено ветеринарами.", "Checked by vets."},
                             {"Без искусственных красителей.", "No artificial colours."}};
constexpr Text kToolTalk[] = {{"Ручка не скользит даже в перчатках.", "The grip holds even in gloves."},
                              {"Для дома и мастерской.", "For home and workshop."},
                              {"В комплекте кейс.", "Comes in a case."}};
constexpr Text kSportTalk[] = {{"Выдерживает дождь и мороз.", "Stands rain and frost."},
                               {"Лёгкая и прочная конструкция.", "Light and strong."},
                               {"Для новичков и опытных спортсменов.", "For beginners and experts alike."}};
constexpr Text kClosing[] = {
    {"Гарантия 1 год.", "One year warranty."},
    {"Гарантия 2 года.", "Two years warranty."},
    {"Доставка по всей стране.", "Delivery throughout the country."},
    {"Возврат в течение 14 дней.", "Returns within 14 days."},
    {"Страна производства указана на упаковке.", "The country of origin is on the box."},
    {"Цвет на экране может отличаться от реального.", "The colour on your screen may differ."}};

constexpr Department kDepartments[] = {
    {{"Электроника", "Electronics"}, kElectronics, kElectronicsBrands, kElectronicsTalk},
    {{"Дом", "Home"}, kHome, kHomeBrands, kHomeTalk},
    {{"Бытовая техника", "Appliances"}, kAppliances, kApplianceBrands, kApplianceTalk},
    {{"Игрушки", "Toys"}, kToys, kToyBrands, kToyTalk},
    {{"Книги", "Books"}, kBooks, kBookBrands, kBookTalk, false},
    {{"Одежда и обувь", "Clothes and shoes"}, kClothes, kClothesBrands, kClothesTalk},
    {{"Зоотовары", "Pet goods"}, kPets, kPetBrands, kPetTalk},
    {{"Инструменты", "Tools"}, kTools, kToolBrands, kToolTalk},
    {{"Спорт и отдых", "Sport and outdoors"}, kSport, kSportBrands, kSportTalk}};

}  // namespace

std::span<const Department> departments() {
  return kDepartments;
}
std::span<const Text> closing_sentences() {
  return kClosing;
}

}  // namespace souk::sample
